//! The Python package's extension module `stockham._stockham`: what is called often, or needs the library, is here; names,
//! documentation and rare cases are in Python.

mod call;
mod core_plan;
mod devices;
mod error;
mod exact;
mod expressions;
mod fields;
mod fused_plan;
mod job;
mod numpy;
mod plans;
mod run;
mod state;
mod stored;
mod strided;
mod view;
mod watched;
mod workers;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _stockham {
    #[pymodule_export]
    use crate::call::{call, call_trig};
    #[pymodule_export]
    use crate::core_plan::CorePlan;
    #[pymodule_export]
    use crate::devices::{get_device, list_devices, set_device};
    #[pymodule_export]
    use crate::exact::{measure, multiply_integers, multiply_polynomials};
    #[pymodule_export]
    use crate::fields::{CoreField, field_names};
    #[pymodule_export]
    use crate::fused_plan::FusedPlan;
    #[pymodule_export]
    use crate::plans::{cache_clear, cache_info, cache_limit};
    #[pymodule_export]
    use crate::run::run_job;
    #[pymodule_export]
    use crate::state::forget_after_fork;
    #[pymodule_export]
    use crate::workers::{get_workers, set_default_workers};

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
