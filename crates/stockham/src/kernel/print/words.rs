//! The words in which the dialects differ, and all that they differ in.

/// The language of a device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Dialect {
    /// CUDA C++, as NVRTC takes it.
    Cuda,
    /// OpenCL C 1.2.
    OpenCl,
    /// OpenCL C on NVIDIA's driver, which takes PTX assembly too.
    OpenClNvidia,
}

/// The words in which the dialects differ.
pub(super) struct Words {
    pub prelude: &'static str,
    pub kernel: &'static str,
    pub global: &'static str,
    pub local: &'static str,
    /// Of an array that stands in the text.
    pub constant: &'static str,
    pub apart: &'static str,
    pub restrict: &'static str,
    pub barrier: &'static str,
    /// The same where threads wait for what others have read and written of the target, too.
    pub barrier_of_all: &'static str,
    /// Waits for the launch before, where this one may have begun earlier, and lets the next one begin.
    pub wait: &'static str,
    /// The function that reverses the bits of a `u32`.
    pub reverse_bits: &'static str,
    /// The types of two words.
    pub pairs: &'static str,
    /// Integers of 16 and of 8 bits.
    pub ushort: &'static str,
    pub schar: &'static str,
    pub uchar: &'static str,
    pub group: &'static str,
    pub thread: &'static str,
}

const CUDA: Words = Words {
    prelude: "typedef unsigned int u32;\ntypedef unsigned long long u64;\n#define FUNCTION static __device__ __forceinline__\n#define mul_hi64 __umul64hi\n\
#if __CUDA_ARCH__ >= 900\n\
#define LAUNCH_NEXT asm volatile(\"griddepcontrol.launch_dependents;\" ::: \"memory\");\n\
#define LAUNCH_WAIT asm volatile(\"griddepcontrol.wait;\" ::: \"memory\");\n\
#else\n\
#define LAUNCH_NEXT\n\
#define LAUNCH_WAIT\n\
#endif\n",
    kernel: "extern \"C\" __global__",
    global: "",
    local: "",
    constant: "__constant__",
    apart: "static __device__ __noinline__",
    restrict: "__restrict__",
    barrier: "__syncthreads();",
    barrier_of_all: "__syncthreads();",
    wait: "    LAUNCH_NEXT\n    LAUNCH_WAIT\n",
    reverse_bits: "#define reverse_bits __brev\n",
    pairs: "typedef uint2 u322;\ntypedef ulonglong2 u642;\n",
    ushort: "unsigned short",
    schar: "signed char",
    uchar: "unsigned char",
    group: "blockIdx.x",
    thread: "threadIdx.x",
};

const OPENCL: Words = Words {
    prelude: "typedef uint u32;\ntypedef ulong u64;\n#define FUNCTION static inline\n#define mul_hi64 mul_hi\n",
    kernel: "__kernel",
    global: "__global ",
    local: "__local ",
    constant: "__constant",
    apart: "__attribute__((noinline))",
    restrict: "restrict",
    barrier: "barrier(CLK_LOCAL_MEM_FENCE);",
    barrier_of_all: "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
    wait: "",
    reverse_bits: "FUNCTION u32 reverse_bits(u32 x)\n{\n    \
        x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;\n    \
        x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;\n    \
        x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;\n    \
        x = (x >> 8 & 0x00ff00ffu) | (x & 0x00ff00ffu) << 8;\n    \
        return x >> 16 | x << 16;\n}\n",
    pairs: "typedef uint2 u322;\ntypedef ulong2 u642;\n",
    ushort: "ushort",
    schar: "char",
    uchar: "uchar",
    group: "get_group_id(0)",
    thread: "get_local_id(0)",
};

impl Dialect {
    pub(super) fn words(self) -> &'static Words {
        match self {
            Self::Cuda => &CUDA,
            Self::OpenCl | Self::OpenClNvidia => &OPENCL,
        }
    }

    /// Whether PTX assembly may be used.
    pub(in crate::kernel) fn has_ptx(self) -> bool {
        self != Self::OpenCl
    }
}
