//! Maps of arrays, by which kernels copy boxes of them.

use std::ffi::c_void;
use std::ptr;

use cudarc::driver::sys::{
    self, CUdeviceptr, CUtensorMap, CUtensorMapDataType, CUtensorMapFloatOOBfill, CUtensorMapInterleave,
    CUtensorMapL2promotion, CUtensorMapSwizzle,
};

use crate::error::Result;
use crate::kernel::Boxes;
use crate::plan::{BOX_WORD, Extent};

use super::context::Context;

/// Where the memory of an array has to begin at a multiple of; kernels do without the map elsewhere.
const ALIGNMENT: u64 = 16;

/// The map of an array from that address on.
pub(super) fn encode(context: &Context, boxes: &Boxes, address: CUdeviceptr) -> Result<CUtensorMap> {
    let mut map = CUtensorMap { opaque: [0; 16] };
    if !address.is_multiple_of(ALIGNMENT) {
        return Ok(map);
    }
    let words = boxes.element_bytes / BOX_WORD;
    let in_words = |dim: usize, count: usize| if dim == 0 { count * words } else { count } as u64;
    let dims = boxes.array.dims.iter().enumerate();
    let lengths: Vec<u64> = dims.clone().map(|(number, dim)| in_words(number, dim.n)).collect();
    let distances: Vec<u64> = dims.clone().skip(1).map(|(_, dim)| (dim.stride * boxes.element_bytes) as u64).collect();
    let rows = boxes.array.rows;
    let at_once = |number, dim: &Extent| if number == rows { boxes.array.at_once } else { dim.of_box };
    let of_box: Vec<u32> = dims.map(|(number, dim)| in_words(number, at_once(number, dim)) as u32).collect();
    let steps = vec![1u32; lengths.len()];
    // SAFETY: writes one map; the arrays have as many entries as the map has dimensions, the distances one less, as the call
    // reads them.
    let code = unsafe {
        sys::cuTensorMapEncodeTiled(
            ptr::from_mut(&mut map),
            CUtensorMapDataType::CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
            lengths.len() as u32,
            address as *mut c_void,
            lengths.as_ptr(),
            distances.as_ptr(),
            of_box.as_ptr(),
            steps.as_ptr(),
            CUtensorMapInterleave::CU_TENSOR_MAP_INTERLEAVE_NONE,
            CUtensorMapSwizzle::CU_TENSOR_MAP_SWIZZLE_NONE,
            CUtensorMapL2promotion::CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
            CUtensorMapFloatOOBfill::CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
        )
    };
    context.check("cuTensorMapEncodeTiled", code)?;
    Ok(map)
}
