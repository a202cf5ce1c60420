typedef unsigned int u32;
typedef unsigned long long u64;
#define FUNCTION static __device__ __forceinline__
#define mul_hi64 __umul64hi
#if __CUDA_ARCH__ >= 900
#define LAUNCH_NEXT asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#define LAUNCH_WAIT asm volatile("griddepcontrol.wait;" ::: "memory");
#else
#define LAUNCH_NEXT
#define LAUNCH_WAIT
#endif

extern "C" __global__ __launch_bounds__(256, 6) void unpack(const u64* source_base, const u64 source_offset,
    u64* target_base, const u64 target_offset,
    const u64* __restrict__ table, const u64 words_wide, const u64 limbs_wide)
{
    LAUNCH_NEXT
    LAUNCH_WAIT
    const u64* source = source_base + source_offset;
    u64* target = target_base + target_offset;
    const u32 words = (u32)words_wide;
    const u32 limbs = (u32)limbs_wide;
    extern __shared__ u64 tile[];
    const u32 v0 = (u32)threadIdx.x;
    const u32 v2 = words;
    const u32 v4 = (u32)blockIdx.x;
    const u32 v6 = v4 << 10;
    const u32 v7 = v6 + v0;
    const bool v8 = v7 < v2;
    const u64 v9 = (u64)v7;
    const u64 v10 = v8 ? source[v9] : (u64)0x0ul;
    const u64 v12 = v10 / (u64)0xf4240ul;
    const u64 v13 = v10 % (u64)0xf4240ul;
    const u64 v14 = v12 % (u64)0xf4240ul;
    const u64 v15 = v12 / (u64)0xf4240ul;
    const u32 v17 = v0 * 3u;
    tile[v17] = v13;
    (tile + v17)[1] = v14;
    (tile + v17)[2] = v15;
    const u32 v23 = v0 + 256u;
    const u32 v24 = v6 + v23;
    const bool v25 = v24 < v2;
    const u64 v26 = (u64)v24;
    const u64 v27 = v25 ? source[v26] : (u64)0x0ul;
    const u64 v28 = v27 / (u64)0xf4240ul;
    const u64 v29 = v27 % (u64)0xf4240ul;
    const u64 v30 = v28 % (u64)0xf4240ul;
    const u64 v31 = v28 / (u64)0xf4240ul;
    const u32 v32 = v23 * 3u;
    tile[v32] = v29;
    (tile + v32)[1] = v30;
    (tile + v32)[2] = v31;
    const u32 v36 = v0 + 512u;
    const u32 v37 = v6 + v36;
    const bool v38 = v37 < v2;
    const u64 v39 = (u64)v37;
    const u64 v40 = v38 ? source[v39] : (u64)0x0ul;
    const u64 v41 = v40 / (u64)0xf4240ul;
    const u64 v42 = v40 % (u64)0xf4240ul;
    const u64 v43 = v41 % (u64)0xf4240ul;
    const u64 v44 = v41 / (u64)0xf4240ul;
    const u32 v45 = v36 * 3u;
    tile[v45] = v42;
    (tile + v45)[1] = v43;
    (tile + v45)[2] = v44;
    const u32 v49 = v0 + 768u;
    const u32 v50 = v6 + v49;
    const bool v51 = v50 < v2;
    const u64 v52 = (u64)v50;
    const u64 v53 = v51 ? source[v52] : (u64)0x0ul;
    const u64 v54 = v53 / (u64)0xf4240ul;
    const u64 v55 = v53 % (u64)0xf4240ul;
    const u64 v56 = v54 % (u64)0xf4240ul;
    const u64 v57 = v54 / (u64)0xf4240ul;
    const u32 v58 = v49 * 3u;
    tile[v58] = v55;
    (tile + v58)[1] = v56;
    (tile + v58)[2] = v57;
    const u32 v62 = v4 * 3072u;
    const u32 v63 = limbs;
    __syncthreads();
    const u32 v64 = v62 + v0;
    const u64 v65 = tile[v0];
    const bool v66 = v64 < v63;
    const u64 v67 = (u64)v64;
    if (v66) {
        target[v67] = v65;
    }
    const u32 v68 = v62 + v23;
    const u64 v69 = (tile + v0)[256];
    const bool v70 = v68 < v63;
    const u64 v71 = (u64)v68;
    if (v70) {
        target[v71] = v69;
    }
    const u32 v72 = v62 + v36;
    const u64 v73 = (tile + v0)[512];
    const bool v74 = v72 < v63;
    const u64 v75 = (u64)v72;
    if (v74) {
        target[v75] = v73;
    }
    const u32 v76 = v62 + v49;
    const u64 v77 = (tile + v0)[768];
    const bool v78 = v76 < v63;
    const u64 v79 = (u64)v76;
    if (v78) {
        target[v79] = v77;
    }
    const u32 v80 = v0 + 1024u;
    const u32 v81 = v62 + v80;
    const u64 v82 = (tile + v0)[1024];
    const bool v83 = v81 < v63;
    const u64 v84 = (u64)v81;
    if (v83) {
        target[v84] = v82;
    }
    const u32 v86 = v0 + 1280u;
    const u32 v87 = v62 + v86;
    const u64 v88 = (tile + v0)[1280];
    const bool v89 = v87 < v63;
    const u64 v90 = (u64)v87;
    if (v89) {
        target[v90] = v88;
    }
    const u32 v92 = v0 + 1536u;
    const u32 v93 = v62 + v92;
    const u64 v94 = (tile + v0)[1536];
    const bool v95 = v93 < v63;
    const u64 v96 = (u64)v93;
    if (v95) {
        target[v96] = v94;
    }
    const u32 v98 = v0 + 1792u;
    const u32 v99 = v62 + v98;
    const u64 v100 = (tile + v0)[1792];
    const bool v101 = v99 < v63;
    const u64 v102 = (u64)v99;
    if (v101) {
        target[v102] = v100;
    }
    const u32 v104 = v0 + 2048u;
    const u32 v105 = v62 + v104;
    const u64 v106 = (tile + v0)[2048];
    const bool v107 = v105 < v63;
    const u64 v108 = (u64)v105;
    if (v107) {
        target[v108] = v106;
    }
    const u32 v110 = v0 + 2304u;
    const u32 v111 = v62 + v110;
    const u64 v112 = (tile + v0)[2304];
    const bool v113 = v111 < v63;
    const u64 v114 = (u64)v111;
    if (v113) {
        target[v114] = v112;
    }
    const u32 v116 = v0 + 2560u;
    const u32 v117 = v62 + v116;
    const u64 v118 = (tile + v0)[2560];
    const bool v119 = v117 < v63;
    const u64 v120 = (u64)v117;
    if (v119) {
        target[v120] = v118;
    }
    const u32 v122 = v0 + 2816u;
    const u32 v123 = v62 + v122;
    const u64 v124 = (tile + v0)[2816];
    const bool v125 = v123 < v63;
    const u64 v126 = (u64)v123;
    if (v125) {
        target[v126] = v124;
    }
}
