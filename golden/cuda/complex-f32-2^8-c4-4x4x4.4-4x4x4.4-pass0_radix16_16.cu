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
FUNCTION u32 opaque(u32 x) { asm volatile("" : "+r"(x)); return x; }
FUNCTION u32 at(const void* place) { return (u32)__cvta_generic_to_shared(place); }
FUNCTION u32 at(const void* place, u32 block)
{
    u32 there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(at(place)), "r"(block));
    return there;
}
FUNCTION void cluster_expect(u64* pushes, u32 bytes)
{
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(at(pushes)) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        __syncwarp(1);
        asm volatile("{ .reg .b64 state; mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1; }"
            :: "r"(at(pushes)), "r"(bytes) : "memory");
    }
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}
FUNCTION void cluster_begun() { asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory"); }
FUNCTION void await_pushes(u64* pushes)
{
    asm volatile("{\n.reg .pred done;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n@!done bra AGAIN;\n}"
        :: "r"(at(pushes)) : "memory");
}
FUNCTION u32 cluster_rank()
{
    u32 rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
FUNCTION void push(u32 place, u32 pushes, float2 x)
{
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.f32 [%0], {%1, %2}, [%3];"
        :: "r"(place), "f"(x.x), "f"(x.y), "r"(pushes) : "memory");
}

extern "C" __global__ __cluster_dims__(4, 1, 1) __launch_bounds__(16, 51) void pass0_radix16_16(const float2* source_base, const u64 source_offset,
    float2* target_base, const u64 target_offset,
    const float2* __restrict__ table, const u64 columns_wide)
{
    LAUNCH_NEXT
    LAUNCH_WAIT
    const float2* source = source_base + source_offset;
    float2* target = target_base + target_offset;
    const u32 columns = (u32)columns_wide;
    extern __shared__ float2 tile[];
    __shared__ u64 pushes;
    cluster_expect(&pushes, 384u);
    const u32 own = cluster_rank();
    const u32 v0 = opaque(threadIdx.x);
    const u32 v2 = v0 >> 2;
    const u32 v4 = v0 & 3u;
    const u32 v5 = (u32)blockIdx.x;
    const u32 v7 = v5 & 3u;
    const u32 v8 = v7 << 2;
    const u32 v9 = v8 + v4;
    const u32 v10 = v5 >> 2;
    const u32 v13 = v10 << 8;
    const u32 v14 = v9 + v13;
    const u32 v16 = v2 << 4;
    const u32 v17 = v14 + v16;
    const u64 v18 = (u64)v17;
    const float2 l0 = source[v18];
    const float v20 = l0.x;
    const float v21 = l0.y;
    const u64 v23 = v18 + (u64)0x40ul;
    const float2 l1 = source[v23];
    const float v24 = l1.x;
    const float v25 = l1.y;
    const u64 v27 = v18 + (u64)0x80ul;
    const float2 l2 = source[v27];
    const float v28 = l2.x;
    const float v29 = l2.y;
    const u64 v31 = v18 + (u64)0xc0ul;
    const float2 l3 = source[v31];
    const float v32 = l3.x;
    const float v33 = l3.y;
    const float v34 = v20 + v28;
    const float v35 = v21 + v29;
    const float v36 = v20 - v28;
    const float v37 = v21 - v29;
    const float v38 = v24 + v32;
    const float v39 = v25 + v33;
    const float v40 = v24 - v32;
    const float v41 = v25 - v33;
    const float v43 = v34 + v38;
    const float v44 = v35 + v39;
    const float v45 = v36 + v41;
    const float v46 = v37 - v40;
    const float v47 = v34 - v38;
    const float v48 = v35 - v39;
    const float v49 = v36 - v41;
    const float v50 = v37 + v40;
    const u32 v51 = v2 << 2;
    const u32 v52 = v51 << 2;
    const u32 v53 = v52 + v4;
    const u32 v54 = v53 >> 4;
    const u32 v55 = v54 << 2;
    const u32 v56 = v53 + v55;
    tile[v56] = make_float2(v43, v44);
    const u32 v57 = v53 + 4u;
    const u32 v58 = v57 >> 4;
    const u32 v59 = v58 << 2;
    const u32 v60 = v53 + v59;
    (tile + v60)[4] = make_float2(v45, v46);
    const u32 v63 = v53 + 8u;
    const u32 v64 = v63 >> 4;
    const u32 v65 = v64 << 2;
    const u32 v66 = v53 + v65;
    (tile + v66)[8] = make_float2(v47, v48);
    const u32 v69 = v53 + 12u;
    const u32 v70 = v69 >> 4;
    const u32 v71 = v70 << 2;
    const u32 v72 = v53 + v71;
    (tile + v72)[12] = make_float2(v49, v50);
    __syncthreads();
    const u32 v74 = v51 + v4;
    const u32 v75 = v74 >> 4;
    const u32 v76 = v75 << 2;
    const u32 v77 = v74 + v76;
    const float2 l4 = tile[v77];
    const float v78 = l4.x;
    const float v79 = l4.y;
    const float2 l5 = (tile + v77)[20];
    const float v82 = l5.x;
    const float v83 = l5.y;
    const float2 l6 = (tile + v77)[40];
    const float v86 = l6.x;
    const float v87 = l6.y;
    const float2 l7 = (tile + v77)[60];
    const float v90 = l7.x;
    const float v91 = l7.y;
    const u64 v92 = (u64)v2;
    const float2 l8 = table[v92];
    const float v93 = l8.x;
    const float v94 = l8.y;
    const float v95 = v83 * v94;
    const float v96 = -v95;
    const float v97 = fma(v82, v93, v96);
    const float v98 = v83 * v93;
    const float v99 = fma(v82, v94, v98);
    const u64 v101 = v92 + (u64)0x4ul;
    const float2 l9 = table[v101];
    const float v102 = l9.x;
    const float v103 = l9.y;
    const float v104 = v87 * v103;
    const float v105 = -v104;
    const float v106 = fma(v86, v102, v105);
    const float v107 = v87 * v102;
    const float v108 = fma(v86, v103, v107);
    const float v109 = v103 * v94;
    const float v110 = -v109;
    const float v111 = fma(v102, v93, v110);
    const float v112 = v103 * v93;
    const float v113 = fma(v102, v94, v112);
    const float v114 = v91 * v113;
    const float v115 = -v114;
    const float v116 = fma(v90, v111, v115);
    const float v117 = v91 * v111;
    const float v118 = fma(v90, v113, v117);
    const float v119 = v78 + v106;
    const float v120 = v79 + v108;
    const float v121 = v78 - v106;
    const float v122 = v79 - v108;
    const float v123 = v97 + v116;
    const float v124 = v99 + v118;
    const float v125 = v97 - v116;
    const float v126 = v99 - v118;
    const float v128 = v119 + v123;
    const float v129 = v120 + v124;
    const float v130 = v121 + v126;
    const float v131 = v122 - v125;
    const float v132 = v119 - v123;
    const float v133 = v120 - v124;
    const float v134 = v121 - v126;
    const float v135 = v122 + v125;
    cluster_begun();
    const u32 v136 = v9 << 2;
    const u32 v137 = v136 + v2;
    const u32 v139 = v137 + 76u;
    if (0u == own) (tile + v137)[76] = make_float2(v128, v129);
    else push(at(tile, 0u) + v139 * 8u, at(&pushes, 0u), make_float2(v128, v129));
    if (1u == own) (tile + v137)[76] = make_float2(v130, v131);
    else push(at(tile, 1u) + v139 * 8u, at(&pushes, 1u), make_float2(v130, v131));
    if (2u == own) (tile + v137)[76] = make_float2(v132, v133);
    else push(at(tile, 2u) + v139 * 8u, at(&pushes, 2u), make_float2(v132, v133));
    if (3u == own) (tile + v137)[76] = make_float2(v134, v135);
    else push(at(tile, 3u) + v139 * 8u, at(&pushes, 3u), make_float2(v134, v135));
    const u32 v141 = opaque(threadIdx.x);
    const u32 v143 = v141 >> 2;
    const u32 v145 = v141 & 3u;
    const u32 v146 = (u32)blockIdx.x;
    const u32 v148 = v146 & 3u;
    const u32 v149 = v148 << 2;
    const u32 v150 = v149 + v145;
    const u32 v151 = v146 >> 2;
    const u32 v156 = v151 << 8;
    const u32 v158 = v150 << 2;
    const u64 v159 = (u64)v158;
    const u64 v161 = v159 + (u64)0x18ul;
    const float2 l10 = table[v161];
    const float v162 = l10.x;
    const float v163 = l10.y;
    const u32 v165 = v150 << 3;
    const u64 v166 = (u64)v165;
    const u64 v167 = v166 + (u64)0x18ul;
    const float2 l11 = table[v167];
    const float v168 = l11.x;
    const float v169 = l11.y;
    const u32 v170 = v150 * v143;
    const u64 v171 = (u64)v170;
    const u64 v172 = v171 + (u64)0x18ul;
    const float2 l12 = table[v172];
    const float v173 = l12.x;
    const float v174 = l12.y;
    const float v175 = v174 * v163;
    const float v176 = -v175;
    const float v177 = fma(v173, v162, v176);
    const float v178 = v174 * v162;
    const float v179 = fma(v173, v163, v178);
    const float v180 = v174 * v169;
    const float v181 = -v180;
    const float v182 = fma(v173, v168, v181);
    const float v183 = v174 * v168;
    const float v184 = fma(v173, v169, v183);
    const float v185 = v184 * v163;
    const float v186 = -v185;
    const float v187 = fma(v182, v162, v186);
    const float v188 = v184 * v162;
    const float v189 = fma(v182, v163, v188);
    await_pushes(&pushes);
    __syncthreads();
    const u32 v190 = v143 << 2;
    const u32 v191 = v190 + v145;
    const float2 l13 = (tile + v191)[76];
    const float v194 = l13.x;
    const float v195 = l13.y;
    const float v196 = v195 * v174;
    const float v197 = -v196;
    const float v198 = fma(v194, v173, v197);
    const float v199 = v195 * v173;
    const float v200 = fma(v194, v174, v199);
    const float2 l14 = (tile + v191)[92];
    const float v204 = l14.x;
    const float v205 = l14.y;
    const float v206 = v205 * v179;
    const float v207 = -v206;
    const float v208 = fma(v204, v177, v207);
    const float v209 = v205 * v177;
    const float v210 = fma(v204, v179, v209);
    const float2 l15 = (tile + v191)[108];
    const float v215 = l15.x;
    const float v216 = l15.y;
    const float v217 = v216 * v184;
    const float v218 = -v217;
    const float v219 = fma(v215, v182, v218);
    const float v220 = v216 * v182;
    const float v221 = fma(v215, v184, v220);
    const float2 l16 = (tile + v191)[124];
    const float v226 = l16.x;
    const float v227 = l16.y;
    const float v228 = v227 * v189;
    const float v229 = -v228;
    const float v230 = fma(v226, v187, v229);
    const float v231 = v227 * v187;
    const float v232 = fma(v226, v189, v231);
    const float v233 = v198 + v219;
    const float v234 = v200 + v221;
    const float v235 = v198 - v219;
    const float v236 = v200 - v221;
    const float v237 = v208 + v230;
    const float v238 = v210 + v232;
    const float v239 = v208 - v230;
    const float v240 = v210 - v232;
    const float v242 = v233 + v237;
    const float v243 = v234 + v238;
    const float v244 = v235 + v240;
    const float v245 = v236 - v239;
    const float v246 = v233 - v237;
    const float v247 = v234 - v238;
    const float v248 = v235 - v240;
    const float v249 = v236 + v239;
    __syncthreads();
    const u32 v250 = v190 << 2;
    const u32 v251 = v250 + v145;
    const u32 v252 = v251 >> 4;
    const u32 v253 = v252 << 2;
    const u32 v254 = v251 + v253;
    (tile + v254)[76] = make_float2(v242, v243);
    const u32 v256 = v251 + 4u;
    const u32 v257 = v256 >> 4;
    const u32 v258 = v257 << 2;
    const u32 v259 = v251 + v258;
    (tile + v259)[80] = make_float2(v244, v245);
    const u32 v263 = v251 + 8u;
    const u32 v264 = v263 >> 4;
    const u32 v265 = v264 << 2;
    const u32 v266 = v251 + v265;
    (tile + v266)[84] = make_float2(v246, v247);
    const u32 v271 = v251 + 12u;
    const u32 v272 = v271 >> 4;
    const u32 v273 = v272 << 2;
    const u32 v274 = v251 + v273;
    (tile + v274)[88] = make_float2(v248, v249);
    __syncthreads();
    const u32 v278 = v191 >> 4;
    const u32 v279 = v278 << 2;
    const u32 v280 = v191 + v279;
    const float2 l17 = (tile + v280)[76];
    const float v282 = l17.x;
    const float v283 = l17.y;
    const float2 l18 = (tile + v280)[96];
    const float v288 = l18.x;
    const float v289 = l18.y;
    const float2 l19 = (tile + v280)[116];
    const float v294 = l19.x;
    const float v295 = l19.y;
    const float2 l20 = (tile + v280)[136];
    const float v300 = l20.x;
    const float v301 = l20.y;
    const u64 v302 = (u64)v143;
    const u64 v304 = v302 + (u64)0xcul;
    const float2 l21 = table[v304];
    const float v305 = l21.x;
    const float v306 = l21.y;
    const float v307 = v289 * v306;
    const float v308 = -v307;
    const float v309 = fma(v288, v305, v308);
    const float v310 = v289 * v305;
    const float v311 = fma(v288, v306, v310);
    const u64 v313 = v302 + (u64)0x10ul;
    const float2 l22 = table[v313];
    const float v314 = l22.x;
    const float v315 = l22.y;
    const float v316 = v295 * v315;
    const float v317 = -v316;
    const float v318 = fma(v294, v314, v317);
    const float v319 = v295 * v314;
    const float v320 = fma(v294, v315, v319);
    const float v321 = v315 * v306;
    const float v322 = -v321;
    const float v323 = fma(v314, v305, v322);
    const float v324 = v315 * v305;
    const float v325 = fma(v314, v306, v324);
    const float v326 = v301 * v325;
    const float v327 = -v326;
    const float v328 = fma(v300, v323, v327);
    const float v329 = v301 * v323;
    const float v330 = fma(v300, v325, v329);
    const float v331 = v282 + v318;
    const float v332 = v283 + v320;
    const float v333 = v282 - v318;
    const float v334 = v283 - v320;
    const float v335 = v309 + v328;
    const float v336 = v311 + v330;
    const float v337 = v309 - v328;
    const float v338 = v311 - v330;
    const float v340 = v331 + v335;
    const float v341 = v332 + v336;
    const float v342 = v333 + v338;
    const float v343 = v334 - v337;
    const float v344 = v331 - v335;
    const float v345 = v332 - v336;
    const float v346 = v333 - v338;
    const float v347 = v334 + v337;
    const u32 v348 = v150 + v156;
    const u32 v349 = v143 << 4;
    const u32 v350 = v348 + v349;
    const u64 v351 = (u64)v350;
    target[v351] = make_float2(v340, v341);
    const u64 v354 = v351 + (u64)0x40ul;
    target[v354] = make_float2(v342, v343);
    const u64 v356 = v351 + (u64)0x80ul;
    target[v356] = make_float2(v344, v345);
    const u64 v358 = v351 + (u64)0xc0ul;
    target[v358] = make_float2(v346, v347);
}
