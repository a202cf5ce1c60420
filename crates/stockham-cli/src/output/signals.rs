//! Signals that end the process end it without unfinished files: interrupt (Ctrl-C), termination, and hang-up.

/// Begins to watch, once. Where that is not possible, signals end the process as they always do.
#[cfg(unix)]
pub fn watch() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::{iterator::Signals, low_level::emulate_default_handler};
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        // What nohup or a shell has the process ignore stays ignored.
        let heeded = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal));
        let Ok(mut signals) = Signals::new(heeded) else { return };
        let wait = move || {
            for signal in signals.forever() {
                super::unfinished::remove_all_and(|| {
                    // The process dies of the signal, so that shells stop their loops; they call it 128 + signal.
                    let _ = emulate_default_handler(signal);
                    std::process::exit(128 + signal);
                });
            }
        };
        let _ = std::thread::Builder::new().name("signals".into()).spawn(wait);
    });
}

#[cfg(unix)]
fn is_ignored(signal: std::ffi::c_int) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::uninit();
    // SAFETY: without a new action the call only writes the present one where there is room for it.
    let known = unsafe { libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) } == 0;
    // SAFETY: the call has written it.
    known && unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
}

/// Not on other systems.
#[cfg(not(unix))]
pub fn watch() {}
