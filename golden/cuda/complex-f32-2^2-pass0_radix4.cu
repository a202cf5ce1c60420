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

extern "C" __global__ __launch_bounds__(256, 1) void pass0_radix4(const float2* source_base, const u64 source_offset,
    float2* target_base, const u64 target_offset,
    const float2* __restrict__ table, const u64 columns_wide)
{
    LAUNCH_NEXT
    LAUNCH_WAIT
    const float2* source = source_base + source_offset;
    float2* target = target_base + target_offset;
    const u32 columns = (u32)columns_wide;
    extern __shared__ float2 tile[];
    const u32 v0 = (u32)threadIdx.x;
    const u32 v2 = v0 >> 2;
    const u32 v5 = v0 & 3u;
    const u32 v6 = (u32)blockIdx.x;
    const u32 v7 = columns;
    const u32 v9 = v6 << 8;
    const u32 v10 = v9 + v2;
    const bool v11 = v10 < v7;
    const u32 v13 = v7 - 1u;
    const u32 v14 = min(v10, v13);
    const u32 v15 = v14 << 2;
    const u32 v16 = v15 + v5;
    const u64 v17 = (u64)v16;
    const float2 l0 = source[v17];
    const float v19 = l0.x;
    const float v20 = l0.y;
    const u32 v22 = v2 + 64u;
    const u32 v23 = v9 + v22;
    const bool v24 = v23 < v7;
    const u32 v25 = min(v23, v13);
    const u32 v26 = v25 << 2;
    const u32 v27 = v26 + v5;
    const u64 v28 = (u64)v27;
    const float2 l1 = source[v28];
    const float v29 = l1.x;
    const float v30 = l1.y;
    const u32 v32 = v2 + 128u;
    const u32 v33 = v9 + v32;
    const bool v34 = v33 < v7;
    const u32 v35 = min(v33, v13);
    const u32 v36 = v35 << 2;
    const u32 v37 = v36 + v5;
    const u64 v38 = (u64)v37;
    const float2 l2 = source[v38];
    const float v39 = l2.x;
    const float v40 = l2.y;
    const u32 v42 = v2 + 192u;
    const u32 v43 = v9 + v42;
    const bool v44 = v43 < v7;
    const u32 v45 = min(v43, v13);
    const u32 v46 = v45 << 2;
    const u32 v47 = v46 + v5;
    const u64 v48 = (u64)v47;
    const float2 l3 = source[v48];
    const float v49 = l3.x;
    const float v50 = l3.y;
    const u32 v51 = v5 << 8;
    const u32 v52 = v51 + v2;
    const u32 v53 = v52 >> 6;
    const u32 v54 = v52 + v53;
    tile[v54] = make_float2(v19, v20);
    const u32 v55 = v51 + v22;
    const u32 v56 = v55 >> 6;
    const u32 v57 = v55 + v56;
    tile[v57] = make_float2(v29, v30);
    const u32 v58 = v51 + v32;
    const u32 v59 = v58 >> 6;
    const u32 v60 = v58 + v59;
    tile[v60] = make_float2(v39, v40);
    const u32 v61 = v51 + v42;
    const u32 v62 = v61 >> 6;
    const u32 v63 = v61 + v62;
    tile[v63] = make_float2(v49, v50);
    __syncthreads();
    const u32 v64 = v0 >> 6;
    const u32 v65 = v0 + v64;
    const float2 l4 = tile[v65];
    const float v66 = l4.x;
    const float v67 = l4.y;
    const float2 l5 = (tile + v65)[260];
    const float v70 = l5.x;
    const float v71 = l5.y;
    const float2 l6 = (tile + v65)[520];
    const float v74 = l6.x;
    const float v75 = l6.y;
    const float2 l7 = (tile + v65)[780];
    const float v78 = l7.x;
    const float v79 = l7.y;
    const float v80 = v66 + v74;
    const float v81 = v67 + v75;
    const float v82 = v66 - v74;
    const float v83 = v67 - v75;
    const float v84 = v70 + v78;
    const float v85 = v71 + v79;
    const float v86 = v70 - v78;
    const float v87 = v71 - v79;
    const float v89 = v80 + v84;
    const float v90 = v81 + v85;
    const float v91 = v82 + v87;
    const float v92 = v83 - v86;
    const float v93 = v80 - v84;
    const float v94 = v81 - v85;
    const float v95 = v82 - v87;
    const float v96 = v83 + v86;
    __syncthreads();
    tile[v65] = make_float2(v89, v90);
    (tile + v65)[260] = make_float2(v91, v92);
    (tile + v65)[520] = make_float2(v93, v94);
    (tile + v65)[780] = make_float2(v95, v96);
    __syncthreads();
    const float2 l8 = tile[v54];
    const float v97 = l8.x;
    const float v98 = l8.y;
    const float2 l9 = tile[v57];
    const float v99 = l9.x;
    const float v100 = l9.y;
    const float2 l10 = tile[v60];
    const float v101 = l10.x;
    const float v102 = l10.y;
    const float2 l11 = tile[v63];
    const float v103 = l11.x;
    const float v104 = l11.y;
    if (v11) {
        target[v17] = make_float2(v97, v98);
    }
    if (v24) {
        target[v28] = make_float2(v99, v100);
    }
    if (v34) {
        target[v38] = make_float2(v101, v102);
    }
    if (v44) {
        target[v48] = make_float2(v103, v104);
    }
}
