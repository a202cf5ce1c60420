//! Where and when a record was made.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use stockham::{Device, DeviceInfo};

/// What a record needs to be compared with another.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Origin {
    /// The command line.
    pub command: String,
    /// The program's version.
    pub version: String,
    /// UTC, `2026-01-31T12:00:00Z`.
    pub date: String,
    /// The host.
    pub machine: Machine,
    /// The device.
    pub device: DeviceInfo,
}

/// The host.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Machine {
    /// Operating system.
    pub os: String,
    /// Instruction set.
    pub arch: String,
    /// The processor's name.
    pub processor: String,
    /// Threads that the host's work is spread over.
    pub threads: usize,
}

impl Origin {
    /// Here and now.
    pub fn of(device: &Device) -> Self {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
        let cpu = Device::cpu();
        let machine = Machine {
            os: std::env::consts::OS.to_owned(),
            arch: std::env::consts::ARCH.to_owned(),
            processor: cpu.info().name.clone(),
            threads: cpu.info().compute_units,
        };
        Self {
            command: command(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            date: utc(seconds),
            machine,
            device: device.info().clone(),
        }
    }
}

/// The command line of this process.
pub fn command() -> String {
    let arguments = std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned());
    std::iter::once("stockham".to_owned()).chain(arguments).collect::<Vec<_>>().join(" ")
}

/// ISO 8601 from seconds since 1970. The days are turned into a date as in H. Hinnant's `civil_from_days`: years begin
/// in March, so that the leap day is the last, and repeat every 400.
fn utc(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let z = days + 719_468;
    let (era, day_of_era) = (z / 146_097, z % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
}

#[cfg(test)]
mod tests {
    use super::utc;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(utc(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(utc(1_735_689_599), "2024-12-31T23:59:59Z");
    }
}
