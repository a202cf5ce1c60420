//! Whether a device can run a recipe, which may have been made by hand or read from a file.

use crate::device_info::{Backend, DeviceInfo};
use crate::error::{Error, Result};

use super::cost::Limits;
use super::recipe::{Method, Recipe};
use super::twiddles::TwiddleSource;
use super::{cluster, team};

impl Recipe {
    /// Checks that a device can run the recipe.
    pub(crate) fn check(&self, device: &DeviceInfo) -> Result<()> {
        self.transform.validate()?;
        self.check_chunk()?;
        if (device.backend == Backend::Cpu) != (self.method == Method::Host) {
            return Err(Error::InvalidTransform(format!("the recipe is not one for {}", device.id)));
        }
        for pass in self.passes() {
            if let Some(twiddle) = pass.twiddle {
                twiddle.source.check(self.transform.algebra)?;
                if twiddle.source != TwiddleSource::Tables && pass.threads_per_column() > 1 {
                    let what = "a pass of several threads a column that computes its twiddles";
                    return Err(Error::unsupported(what, "they come from tables"));
                }
            }
            let swaps = Limits::of(device, self.transform.algebra).swaps && pass.can_swap();
            if pass.tile.swaps && !swaps {
                let what = format!("a stage whose rows come by swaps on {}", device.id);
                return Err(Error::unsupported(
                    what,
                    "those are of complex numbers, in the last stage, within CUDA's warps",
                ));
            }
            pass.check_staging(&self.transform)?;
            team::check(self, pass, device)?;
            let algebra = self.transform.algebra;
            pass.check_ahead(algebra, device)?;
            let bytes = pass.tile_bytes(algebra).saturating_add(pass.ahead_bytes(algebra.element_bytes()));
            if pass.threads() > device.max_group || bytes > device.local_bytes {
                return Err(Error::InvalidTransform(format!(
                    "a pass needs {} threads and {bytes} bytes of local memory; {} has {} and {}",
                    pass.threads(),
                    device.id,
                    device.max_group,
                    device.local_bytes
                )));
            }
        }
        cluster::check(self.passes(), self.transform.algebra, device)?;
        self.check_ring()
    }
}
