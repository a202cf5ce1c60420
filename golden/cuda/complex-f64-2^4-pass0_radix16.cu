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

extern "C" __global__ __launch_bounds__(256, 1) void pass0_radix16(const double2* source_base, const u64 source_offset,
    double2* target_base, const u64 target_offset,
    const double2* __restrict__ table, const u64 columns_wide)
{
    LAUNCH_NEXT
    LAUNCH_WAIT
    const double2* source = source_base + source_offset;
    double2* target = target_base + target_offset;
    const u32 columns = (u32)columns_wide;
    extern __shared__ double2 tile[];
    const u32 v0 = (u32)threadIdx.x;
    const u32 v3 = v0 & 3u;
    const u32 v4 = v0 >> 2;
    const u32 v5 = (u32)blockIdx.x;
    const u32 v6 = columns;
    const u32 v8 = v5 << 6;
    const u32 v9 = v8 + v4;
    const bool v10 = v9 < v6;
    const u32 v12 = v6 - 1u;
    const u32 v13 = min(v9, v12);
    const u32 v16 = v13 << 4;
    const u32 v17 = v16 + v3;
    const u64 v18 = (u64)v17;
    const double2 l0 = source[v18];
    const double v20 = l0.x;
    const double v21 = l0.y;
    const u64 v23 = v18 + (u64)0x4ul;
    const double2 l1 = source[v23];
    const double v24 = l1.x;
    const double v25 = l1.y;
    const u64 v27 = v18 + (u64)0x8ul;
    const double2 l2 = source[v27];
    const double v28 = l2.x;
    const double v29 = l2.y;
    const u64 v31 = v18 + (u64)0xcul;
    const double2 l3 = source[v31];
    const double v32 = l3.x;
    const double v33 = l3.y;
    const double v34 = v20 + v28;
    const double v35 = v21 + v29;
    const double v36 = v20 - v28;
    const double v37 = v21 - v29;
    const double v38 = v24 + v32;
    const double v39 = v25 + v33;
    const double v40 = v24 - v32;
    const double v41 = v25 - v33;
    const double v43 = v34 + v38;
    const double v44 = v35 + v39;
    const double v45 = v36 + v41;
    const double v46 = v37 - v40;
    const double v47 = v34 - v38;
    const double v48 = v35 - v39;
    const double v49 = v36 - v41;
    const double v50 = v37 + v40;
    const u32 v51 = v3 << 2;
    const u32 v52 = v4 << 4;
    const u32 v53 = v51 + v52;
    const u32 v54 = v53 >> 2;
    const u32 v55 = v53 + v54;
    tile[v55] = make_double2(v43, v44);
    (tile + v55)[1] = make_double2(v45, v46);
    (tile + v55)[2] = make_double2(v47, v48);
    (tile + v55)[3] = make_double2(v49, v50);
    __syncthreads();
    const u32 v60 = v3 + v52;
    const u32 v61 = v60 >> 2;
    const u32 v62 = v60 + v61;
    const double2 l4 = tile[v62];
    const double v63 = l4.x;
    const double v64 = l4.y;
    const double2 l5 = (tile + v62)[5];
    const double v67 = l5.x;
    const double v68 = l5.y;
    const double2 l6 = (tile + v62)[10];
    const double v71 = l6.x;
    const double v72 = l6.y;
    const double2 l7 = (tile + v62)[15];
    const double v75 = l7.x;
    const double v76 = l7.y;
    const u64 v77 = (u64)v3;
    const double2 l8 = table[v77];
    const double v78 = l8.x;
    const double v79 = l8.y;
    const double v80 = v68 * v79;
    const double v81 = -v80;
    const double v82 = fma(v67, v78, v81);
    const double v83 = v68 * v78;
    const double v84 = fma(v67, v79, v83);
    const u64 v85 = v77 + (u64)0x4ul;
    const double2 l9 = table[v85];
    const double v86 = l9.x;
    const double v87 = l9.y;
    const double v88 = v72 * v87;
    const double v89 = -v88;
    const double v90 = fma(v71, v86, v89);
    const double v91 = v72 * v86;
    const double v92 = fma(v71, v87, v91);
    const u64 v93 = v77 + (u64)0x8ul;
    const double2 l10 = table[v93];
    const double v94 = l10.x;
    const double v95 = l10.y;
    const double v96 = v76 * v95;
    const double v97 = -v96;
    const double v98 = fma(v75, v94, v97);
    const double v99 = v76 * v94;
    const double v100 = fma(v75, v95, v99);
    const double v101 = v63 + v90;
    const double v102 = v64 + v92;
    const double v103 = v63 - v90;
    const double v104 = v64 - v92;
    const double v105 = v82 + v98;
    const double v106 = v84 + v100;
    const double v107 = v82 - v98;
    const double v108 = v84 - v100;
    const double v110 = v101 + v105;
    const double v111 = v102 + v106;
    const double v112 = v103 + v108;
    const double v113 = v104 - v107;
    const double v114 = v101 - v105;
    const double v115 = v102 - v106;
    const double v116 = v103 - v108;
    const double v117 = v104 + v107;
    if (v10) {
        target[v18] = make_double2(v110, v111);
        target[v23] = make_double2(v112, v113);
        target[v27] = make_double2(v114, v115);
        target[v31] = make_double2(v116, v117);
    }
}
