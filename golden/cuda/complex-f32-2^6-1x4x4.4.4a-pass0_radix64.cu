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
#define TILE_BYTES 512u
FUNCTION u32 at(const void* place) { return (u32)__cvta_generic_to_shared(place); }
FUNCTION void begin_fetching(u64* arrivals)
{
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(at(arrivals)) : "memory");
    __syncthreads();
}
FUNCTION void expect_fetched(u64* arrivals, u32 bytes, bool is_last)
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    if (is_last)
        asm volatile("{ .reg .b64 state; mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1; }"
            :: "r"(at(arrivals)), "r"(bytes) : "memory");
    else
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" :: "r"(at(arrivals)), "r"(bytes) : "memory");
}
FUNCTION void fetched_by_threads(u64* arrivals, bool is_last)
{
    if (!is_last) return;
    __syncthreads();
    if (threadIdx.x == 0)
        asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" :: "r"(at(arrivals)) : "memory");
}
FUNCTION void await_count(u64* count, u32 phase)
{
    asm volatile("{\n.reg .pred done;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra AGAIN;\n}"
        :: "r"(at(count)), "r"(phase) : "memory");
}
#define COPY_BYTES 512u
FUNCTION void fetch(void* to, const void* from, u64* arrivals)
{
    if ((u64)from % 16ul == 0) {
        if (threadIdx.x == 0) {
            expect_fetched(arrivals, TILE_BYTES, true);
            for (u32 i = 0; i < TILE_BYTES; i += COPY_BYTES)
                asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                    :: "r"(at(to) + i), "l"((const char*)from + i), "r"(COPY_BYTES), "r"(at(arrivals)) : "memory");
        }
        return;
    }
    for (u32 i = threadIdx.x; i < TILE_BYTES / 8u; i += blockDim.x) ((u64*)to)[i] = __ldcg((const u64*)from + i);
    fetched_by_threads(arrivals, true);
}

extern "C" __global__ __launch_bounds__(16, 51) void pass0_radix64(const float2* source_base, const u64 source_offset,
    float2* target_base, const u64 target_offset,
    const float2* __restrict__ table, const u64 columns_wide)
{
    LAUNCH_NEXT
    LAUNCH_WAIT
    const float2* source = source_base + source_offset;
    float2* target = target_base + target_offset;
    const u32 columns = (u32)columns_wide;
    extern __shared__ __align__(128) float2 tile[];
    float2* const fetched = (float2*)((char*)tile + 640);
    u64* const arrivals = (u64*)((char*)tile + 1152);
    const u32 tiles = (u32)(columns / 1u);
    begin_fetching(arrivals);
    fetch(fetched, source + ((u64)blockIdx.x) * 64ul, arrivals);
    u32 phase = 0;
    #pragma unroll 1
    for (u32 tile_number = blockIdx.x; tile_number < tiles; tile_number += gridDim.x, phase ^= 1u) {
    __syncthreads();
    await_count(arrivals, phase);
    const u32 v0 = (u32)threadIdx.x;
    const u32 v3 = v0 & 15u;
    const float2 l0 = fetched[v3];
    const float v6 = l0.x;
    const float v7 = l0.y;
    const u32 v8 = v3 + 16u;
    const float2 l1 = fetched[v8];
    const float v9 = l1.x;
    const float v10 = l1.y;
    const u32 v12 = v3 + 32u;
    const float2 l2 = fetched[v12];
    const float v13 = l2.x;
    const float v14 = l2.y;
    const u32 v16 = v3 + 48u;
    const float2 l3 = fetched[v16];
    const float v17 = l3.x;
    const float v18 = l3.y;
    const float v19 = v6 + v13;
    const float v20 = v7 + v14;
    const float v21 = v6 - v13;
    const float v22 = v7 - v14;
    const float v23 = v9 + v17;
    const float v24 = v10 + v18;
    const float v25 = v9 - v17;
    const float v26 = v10 - v18;
    const float v28 = v19 + v23;
    const float v29 = v20 + v24;
    const float v30 = v21 + v26;
    const float v31 = v22 - v25;
    const float v32 = v19 - v23;
    const float v33 = v20 - v24;
    const float v34 = v21 - v26;
    const float v35 = v22 + v25;
    const u32 v38 = v3 << 2;
    const u32 v39 = v38 >> 4;
    const u32 v40 = v38 + v39;
    tile[v40] = make_float2(v28, v29);
    const u32 v41 = v38 + 1u;
    const u32 v42 = v41 >> 4;
    const u32 v43 = v38 + v42;
    (tile + v43)[1] = make_float2(v30, v31);
    const u32 v46 = v38 + 2u;
    const u32 v47 = v46 >> 4;
    const u32 v48 = v38 + v47;
    (tile + v48)[2] = make_float2(v32, v33);
    const u32 v51 = v38 + 3u;
    const u32 v52 = v51 >> 4;
    const u32 v53 = v38 + v52;
    (tile + v53)[3] = make_float2(v34, v35);
    __syncthreads();
    if (tiles - tile_number > gridDim.x)
        fetch(fetched, source + ((u64)tile_number + gridDim.x) * 64ul, arrivals);
    const u32 v55 = v3 >> 4;
    const u32 v56 = v3 + v55;
    const float2 l4 = tile[v56];
    const float v57 = l4.x;
    const float v58 = l4.y;
    const float2 l5 = (tile + v56)[17];
    const float v61 = l5.x;
    const float v62 = l5.y;
    const float2 l6 = (tile + v56)[34];
    const float v65 = l6.x;
    const float v66 = l6.y;
    const float2 l7 = (tile + v56)[51];
    const float v69 = l7.x;
    const float v70 = l7.y;
    const u32 v71 = v3 & 3u;
    const u64 v72 = (u64)v71;
    const float2 l8 = table[v72];
    const float v74 = l8.x;
    const float v75 = l8.y;
    const float v76 = v62 * v75;
    const float v77 = -v76;
    const float v78 = fma(v61, v74, v77);
    const float v79 = v62 * v74;
    const float v80 = fma(v61, v75, v79);
    const u64 v82 = v72 + (u64)0x4ul;
    const float2 l9 = table[v82];
    const float v83 = l9.x;
    const float v84 = l9.y;
    const float v85 = v66 * v84;
    const float v86 = -v85;
    const float v87 = fma(v65, v83, v86);
    const float v88 = v66 * v83;
    const float v89 = fma(v65, v84, v88);
    const u64 v91 = v72 + (u64)0x8ul;
    const float2 l10 = table[v91];
    const float v92 = l10.x;
    const float v93 = l10.y;
    const float v94 = v70 * v93;
    const float v95 = -v94;
    const float v96 = fma(v69, v92, v95);
    const float v97 = v70 * v92;
    const float v98 = fma(v69, v93, v97);
    const float v99 = v57 + v87;
    const float v100 = v58 + v89;
    const float v101 = v57 - v87;
    const float v102 = v58 - v89;
    const float v103 = v78 + v96;
    const float v104 = v80 + v98;
    const float v105 = v78 - v96;
    const float v106 = v80 - v98;
    const float v108 = v99 + v103;
    const float v109 = v100 + v104;
    const float v110 = v101 + v106;
    const float v111 = v102 - v105;
    const float v112 = v99 - v103;
    const float v113 = v100 - v104;
    const float v114 = v101 - v106;
    const float v115 = v102 + v105;
    __syncthreads();
    const u32 v116 = v3 >> 2;
    const u32 v117 = v116 << 4;
    const u32 v118 = v117 + v71;
    const u32 v119 = v118 >> 4;
    const u32 v120 = v119 << 2;
    const u32 v121 = v118 + v120;
    tile[v121] = make_float2(v108, v109);
    const u32 v122 = v118 + 4u;
    const u32 v123 = v122 >> 4;
    const u32 v124 = v123 << 2;
    const u32 v125 = v118 + v124;
    (tile + v125)[4] = make_float2(v110, v111);
    const u32 v128 = v118 + 8u;
    const u32 v129 = v128 >> 4;
    const u32 v130 = v129 << 2;
    const u32 v131 = v118 + v130;
    (tile + v131)[8] = make_float2(v112, v113);
    const u32 v134 = v118 + 12u;
    const u32 v135 = v134 >> 4;
    const u32 v136 = v135 << 2;
    const u32 v137 = v118 + v136;
    (tile + v137)[12] = make_float2(v114, v115);
    __syncthreads();
    const u32 v139 = v55 << 2;
    const u32 v140 = v3 + v139;
    const float2 l11 = tile[v140];
    const float v141 = l11.x;
    const float v142 = l11.y;
    const float2 l12 = (tile + v140)[20];
    const float v145 = l12.x;
    const float v146 = l12.y;
    const float2 l13 = (tile + v140)[40];
    const float v149 = l13.x;
    const float v150 = l13.y;
    const float2 l14 = (tile + v140)[60];
    const float v153 = l14.x;
    const float v154 = l14.y;
    const u64 v155 = (u64)v3;
    const u64 v157 = v155 + (u64)0xcul;
    const float2 l15 = table[v157];
    const float v158 = l15.x;
    const float v159 = l15.y;
    const float v160 = v146 * v159;
    const float v161 = -v160;
    const float v162 = fma(v145, v158, v161);
    const float v163 = v146 * v158;
    const float v164 = fma(v145, v159, v163);
    const u64 v166 = v155 + (u64)0x1cul;
    const float2 l16 = table[v166];
    const float v167 = l16.x;
    const float v168 = l16.y;
    const float v169 = v150 * v168;
    const float v170 = -v169;
    const float v171 = fma(v149, v167, v170);
    const float v172 = v150 * v167;
    const float v173 = fma(v149, v168, v172);
    const u64 v175 = v155 + (u64)0x2cul;
    const float2 l17 = table[v175];
    const float v176 = l17.x;
    const float v177 = l17.y;
    const float v178 = v154 * v177;
    const float v179 = -v178;
    const float v180 = fma(v153, v176, v179);
    const float v181 = v154 * v176;
    const float v182 = fma(v153, v177, v181);
    const float v183 = v141 + v171;
    const float v184 = v142 + v173;
    const float v185 = v141 - v171;
    const float v186 = v142 - v173;
    const float v187 = v162 + v180;
    const float v188 = v164 + v182;
    const float v189 = v162 - v180;
    const float v190 = v164 - v182;
    const float v192 = v183 + v187;
    const float v193 = v184 + v188;
    const float v194 = v185 + v190;
    const float v195 = v186 - v189;
    const float v196 = v183 - v187;
    const float v197 = v184 - v188;
    const float v198 = v185 - v190;
    const float v199 = v186 + v189;
    const u32 v200 = (u32)tile_number;
    const u32 v201 = columns;
    const bool v202 = v200 < v201;
    const u32 v203 = v201 - 1u;
    const u32 v204 = min(v200, v203);
    const u32 v205 = v204 << 6;
    const u32 v206 = v205 + v3;
    const u64 v207 = (u64)v206;
    if (v202) {
        target[v207] = make_float2(v192, v193);
    }
    const u64 v209 = v207 + (u64)0x10ul;
    if (v202) {
        target[v209] = make_float2(v194, v195);
    }
    const u64 v211 = v207 + (u64)0x20ul;
    if (v202) {
        target[v211] = make_float2(v196, v197);
    }
    const u64 v213 = v207 + (u64)0x30ul;
    if (v202) {
        target[v213] = make_float2(v198, v199);
    }
    }
}
