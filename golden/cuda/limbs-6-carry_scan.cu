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

extern "C" __global__ __launch_bounds__(256, 4) void carry_scan(const u64* source_base, const u64 source_offset,
    u64* target_base, const u64 target_offset,
    const u64* __restrict__ table, const u64 count_wide)
{
    LAUNCH_NEXT
    LAUNCH_WAIT
    const u64* source = source_base + source_offset;
    u64* target = target_base + target_offset;
    const u32 count = (u32)count_wide;
    extern __shared__ u64 tile[];
    const u32 v0 = (u32)threadIdx.x;
    const u32 v2 = count;
    const u64 v5 = source[(u64)0x0ul];
    const u32 v7 = v2 + 1u;
    const u32 v9 = v0 << 4;
    const u32 v10 = v9 + 1u;
    const bool v11 = v10 < v7;
    const u64 v12 = (u64)v10;
    const u64 v13 = v11 ? source[v12] : (u64)0x0ul;
    const u32 v15 = v9 + 2u;
    const bool v16 = v15 < v7;
    const u64 v17 = (u64)v15;
    const u64 v18 = v16 ? source[v17] : (u64)0x0ul;
    const u32 v20 = v9 + 3u;
    const bool v21 = v20 < v7;
    const u64 v22 = (u64)v20;
    const u64 v23 = v21 ? source[v22] : (u64)0x0ul;
    const u32 v25 = v9 + 4u;
    const bool v26 = v25 < v7;
    const u64 v27 = (u64)v25;
    const u64 v28 = v26 ? source[v27] : (u64)0x0ul;
    const u32 v30 = v9 + 5u;
    const bool v31 = v30 < v7;
    const u64 v32 = (u64)v30;
    const u64 v33 = v31 ? source[v32] : (u64)0x0ul;
    const u32 v35 = v9 + 6u;
    const bool v36 = v35 < v7;
    const u64 v37 = (u64)v35;
    const u64 v38 = v36 ? source[v37] : (u64)0x0ul;
    const u32 v40 = v9 + 7u;
    const bool v41 = v40 < v7;
    const u64 v42 = (u64)v40;
    const u64 v43 = v41 ? source[v42] : (u64)0x0ul;
    const u32 v45 = v9 + 8u;
    const bool v46 = v45 < v7;
    const u64 v47 = (u64)v45;
    const u64 v48 = v46 ? source[v47] : (u64)0x0ul;
    const u32 v50 = v9 + 9u;
    const bool v51 = v50 < v7;
    const u64 v52 = (u64)v50;
    const u64 v53 = v51 ? source[v52] : (u64)0x0ul;
    const u32 v55 = v9 + 10u;
    const bool v56 = v55 < v7;
    const u64 v57 = (u64)v55;
    const u64 v58 = v56 ? source[v57] : (u64)0x0ul;
    const u32 v60 = v9 + 11u;
    const bool v61 = v60 < v7;
    const u64 v62 = (u64)v60;
    const u64 v63 = v61 ? source[v62] : (u64)0x0ul;
    const u32 v65 = v9 + 12u;
    const bool v66 = v65 < v7;
    const u64 v67 = (u64)v65;
    const u64 v68 = v66 ? source[v67] : (u64)0x0ul;
    const u32 v70 = v9 + 13u;
    const bool v71 = v70 < v7;
    const u64 v72 = (u64)v70;
    const u64 v73 = v71 ? source[v72] : (u64)0x0ul;
    const u32 v75 = v9 + 14u;
    const bool v76 = v75 < v7;
    const u64 v77 = (u64)v75;
    const u64 v78 = v76 ? source[v77] : (u64)0x0ul;
    const u32 v80 = v9 + 15u;
    const bool v81 = v80 < v7;
    const u64 v82 = (u64)v80;
    const u64 v83 = v81 ? source[v82] : (u64)0x0ul;
    const u32 v84 = v9 + 16u;
    const bool v85 = v84 < v7;
    const u64 v86 = (u64)v84;
    const u64 v87 = v85 ? source[v86] : (u64)0x0ul;
    const bool v88 = v13 == (u64)0x1ul;
    const u64 v89 = v88 ? (u64)0x1ul : v13;
    const bool v90 = v18 == (u64)0x1ul;
    const u64 v91 = v90 ? v89 : v18;
    const bool v92 = v23 == (u64)0x1ul;
    const u64 v93 = v92 ? v91 : v23;
    const bool v94 = v28 == (u64)0x1ul;
    const u64 v95 = v94 ? v93 : v28;
    const bool v96 = v33 == (u64)0x1ul;
    const u64 v97 = v96 ? v95 : v33;
    const bool v98 = v38 == (u64)0x1ul;
    const u64 v99 = v98 ? v97 : v38;
    const bool v100 = v43 == (u64)0x1ul;
    const u64 v101 = v100 ? v99 : v43;
    const bool v102 = v48 == (u64)0x1ul;
    const u64 v103 = v102 ? v101 : v48;
    const bool v104 = v53 == (u64)0x1ul;
    const u64 v105 = v104 ? v103 : v53;
    const bool v106 = v58 == (u64)0x1ul;
    const u64 v107 = v106 ? v105 : v58;
    const bool v108 = v63 == (u64)0x1ul;
    const u64 v109 = v108 ? v107 : v63;
    const bool v110 = v68 == (u64)0x1ul;
    const u64 v111 = v110 ? v109 : v68;
    const bool v112 = v73 == (u64)0x1ul;
    const u64 v113 = v112 ? v111 : v73;
    const bool v114 = v78 == (u64)0x1ul;
    const u64 v115 = v114 ? v113 : v78;
    const bool v116 = v83 == (u64)0x1ul;
    const u64 v117 = v116 ? v115 : v83;
    const bool v118 = v87 == (u64)0x1ul;
    const u64 v119 = v118 ? v117 : v87;
    tile[v0] = v119;
    __syncthreads();
    const bool v120 = v0 < 1u;
    const u32 v122 = v0 + 4294967295u;
    const u32 v123 = v120 ? v0 : v122;
    const u64 v124 = tile[v123];
    const u64 v125 = v120 ? (u64)0x1ul : v124;
    const bool v126 = v119 == (u64)0x1ul;
    const u64 v127 = v126 ? v125 : v119;
    (tile + v0)[256] = v127;
    __syncthreads();
    const bool v130 = v0 < 2u;
    const u32 v132 = v0 + 4294967294u;
    const u32 v133 = v130 ? v0 : v132;
    const u64 v135 = (tile + v133)[256];
    const u64 v136 = v130 ? (u64)0x1ul : v135;
    const bool v137 = v127 == (u64)0x1ul;
    const u64 v138 = v137 ? v136 : v127;
    tile[v0] = v138;
    __syncthreads();
    const bool v139 = v0 < 4u;
    const u32 v141 = v0 + 4294967292u;
    const u32 v142 = v139 ? v0 : v141;
    const u64 v143 = tile[v142];
    const u64 v144 = v139 ? (u64)0x1ul : v143;
    const bool v145 = v138 == (u64)0x1ul;
    const u64 v146 = v145 ? v144 : v138;
    (tile + v0)[256] = v146;
    __syncthreads();
    const bool v147 = v0 < 8u;
    const u32 v149 = v0 + 4294967288u;
    const u32 v150 = v147 ? v0 : v149;
    const u64 v152 = (tile + v150)[256];
    const u64 v153 = v147 ? (u64)0x1ul : v152;
    const bool v154 = v146 == (u64)0x1ul;
    const u64 v155 = v154 ? v153 : v146;
    tile[v0] = v155;
    __syncthreads();
    const bool v156 = v0 < 16u;
    const u32 v158 = v0 + 4294967280u;
    const u32 v159 = v156 ? v0 : v158;
    const u64 v160 = tile[v159];
    const u64 v161 = v156 ? (u64)0x1ul : v160;
    const bool v162 = v155 == (u64)0x1ul;
    const u64 v163 = v162 ? v161 : v155;
    (tile + v0)[256] = v163;
    __syncthreads();
    const bool v165 = v0 < 32u;
    const u32 v167 = v0 + 4294967264u;
    const u32 v168 = v165 ? v0 : v167;
    const u64 v170 = (tile + v168)[256];
    const u64 v171 = v165 ? (u64)0x1ul : v170;
    const bool v172 = v163 == (u64)0x1ul;
    const u64 v173 = v172 ? v171 : v163;
    tile[v0] = v173;
    __syncthreads();
    const bool v175 = v0 < 64u;
    const u32 v177 = v0 + 4294967232u;
    const u32 v178 = v175 ? v0 : v177;
    const u64 v179 = tile[v178];
    const u64 v180 = v175 ? (u64)0x1ul : v179;
    const bool v181 = v173 == (u64)0x1ul;
    const u64 v182 = v181 ? v180 : v173;
    (tile + v0)[256] = v182;
    __syncthreads();
    const bool v184 = v0 < 128u;
    const u32 v186 = v0 + 4294967168u;
    const u32 v187 = v184 ? v0 : v186;
    const u64 v189 = (tile + v187)[256];
    const u64 v190 = v184 ? (u64)0x1ul : v189;
    const bool v191 = v182 == (u64)0x1ul;
    const u64 v192 = v191 ? v190 : v182;
    tile[v0] = v192;
    __syncthreads();
    const u64 v193 = tile[v123];
    const u64 v194 = v120 ? (u64)0x1ul : v193;
    const u64 v196 = v194 >> 1;
    const bool v197 = v194 == (u64)0x1ul;
    const u64 v198 = v197 ? v5 : v196;
    const u64 v199 = v13 >> 1;
    const u64 v200 = v88 ? v198 : v199;
    if (v11) {
        target[v12] = v200;
    }
    const u64 v201 = v18 >> 1;
    const u64 v202 = v90 ? v200 : v201;
    if (v16) {
        target[v17] = v202;
    }
    const u64 v203 = v23 >> 1;
    const u64 v204 = v92 ? v202 : v203;
    if (v21) {
        target[v22] = v204;
    }
    const u64 v205 = v28 >> 1;
    const u64 v206 = v94 ? v204 : v205;
    if (v26) {
        target[v27] = v206;
    }
    const u64 v207 = v33 >> 1;
    const u64 v208 = v96 ? v206 : v207;
    if (v31) {
        target[v32] = v208;
    }
    const u64 v209 = v38 >> 1;
    const u64 v210 = v98 ? v208 : v209;
    if (v36) {
        target[v37] = v210;
    }
    const u64 v211 = v43 >> 1;
    const u64 v212 = v100 ? v210 : v211;
    if (v41) {
        target[v42] = v212;
    }
    const u64 v213 = v48 >> 1;
    const u64 v214 = v102 ? v212 : v213;
    if (v46) {
        target[v47] = v214;
    }
    const u64 v215 = v53 >> 1;
    const u64 v216 = v104 ? v214 : v215;
    if (v51) {
        target[v52] = v216;
    }
    const u64 v217 = v58 >> 1;
    const u64 v218 = v106 ? v216 : v217;
    if (v56) {
        target[v57] = v218;
    }
    const u64 v219 = v63 >> 1;
    const u64 v220 = v108 ? v218 : v219;
    if (v61) {
        target[v62] = v220;
    }
    const u64 v221 = v68 >> 1;
    const u64 v222 = v110 ? v220 : v221;
    if (v66) {
        target[v67] = v222;
    }
    const u64 v223 = v73 >> 1;
    const u64 v224 = v112 ? v222 : v223;
    if (v71) {
        target[v72] = v224;
    }
    const u64 v225 = v78 >> 1;
    const u64 v226 = v114 ? v224 : v225;
    if (v76) {
        target[v77] = v226;
    }
    const u64 v227 = v83 >> 1;
    const u64 v228 = v116 ? v226 : v227;
    if (v81) {
        target[v82] = v228;
    }
    const u64 v229 = v87 >> 1;
    const u64 v230 = v118 ? v228 : v229;
    if (v85) {
        target[v86] = v230;
    }
}
