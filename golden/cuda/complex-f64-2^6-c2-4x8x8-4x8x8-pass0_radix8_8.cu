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
FUNCTION void push(u32 place, u32 pushes, double2 x)
{
    asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.f64 [%0], {%1, %2}, [%3];"
        :: "r"(place), "d"(x.x), "d"(x.y), "r"(pushes) : "memory");
}

extern "C" __global__ __cluster_dims__(2, 1, 1) __launch_bounds__(4, 32) void pass0_radix8_8(const double2* source_base, const u64 source_offset,
    double2* target_base, const u64 target_offset,
    const double2* __restrict__ table, const u64 columns_wide)
{
    LAUNCH_NEXT
    LAUNCH_WAIT
    const double2* source = source_base + source_offset;
    double2* target = target_base + target_offset;
    const u32 columns = (u32)columns_wide;
    extern __shared__ double2 tile[];
    __shared__ u64 pushes;
    cluster_expect(&pushes, 256u);
    const u32 own = cluster_rank();
    const u32 v0 = opaque(threadIdx.x);
    const u32 v4 = v0 & 3u;
    const u32 v5 = (u32)blockIdx.x;
    const u32 v8 = v5 & 1u;
    const u32 v9 = v8 << 2;
    const u32 v10 = v9 + v4;
    const u32 v11 = v5 >> 1;
    const u32 v13 = v11 << 6;
    const u32 v14 = v10 + v13;
    const u64 v16 = (u64)v14;
    const double2 l0 = source[v16];
    const double v18 = l0.x;
    const double v19 = l0.y;
    const u64 v21 = v16 + (u64)0x8ul;
    const double2 l1 = source[v21];
    const double v22 = l1.x;
    const double v23 = l1.y;
    const u64 v25 = v16 + (u64)0x10ul;
    const double2 l2 = source[v25];
    const double v26 = l2.x;
    const double v27 = l2.y;
    const u64 v29 = v16 + (u64)0x18ul;
    const double2 l3 = source[v29];
    const double v30 = l3.x;
    const double v31 = l3.y;
    const u64 v33 = v16 + (u64)0x20ul;
    const double2 l4 = source[v33];
    const double v34 = l4.x;
    const double v35 = l4.y;
    const u64 v37 = v16 + (u64)0x28ul;
    const double2 l5 = source[v37];
    const double v38 = l5.x;
    const double v39 = l5.y;
    const u64 v41 = v16 + (u64)0x30ul;
    const double2 l6 = source[v41];
    const double v42 = l6.x;
    const double v43 = l6.y;
    const u64 v45 = v16 + (u64)0x38ul;
    const double2 l7 = source[v45];
    const double v46 = l7.x;
    const double v47 = l7.y;
    const double v48 = v18 + v34;
    const double v49 = v19 + v35;
    const double v50 = v18 - v34;
    const double v51 = v19 - v35;
    const double v52 = v26 + v42;
    const double v53 = v27 + v43;
    const double v54 = v26 - v42;
    const double v55 = v27 - v43;
    const double v57 = v48 + v52;
    const double v58 = v49 + v53;
    const double v59 = v50 + v55;
    const double v60 = v51 - v54;
    const double v61 = v48 - v52;
    const double v62 = v49 - v53;
    const double v63 = v50 - v55;
    const double v64 = v51 + v54;
    const double v65 = v22 + v38;
    const double v66 = v23 + v39;
    const double v67 = v22 - v38;
    const double v68 = v23 - v39;
    const double v69 = v30 + v46;
    const double v70 = v31 + v47;
    const double v71 = v30 - v46;
    const double v72 = v31 - v47;
    const double v73 = v65 + v69;
    const double v74 = v66 + v70;
    const double v75 = v65 - v69;
    const double v76 = v66 - v70;
    const double v78 = v57 + v73;
    const double v79 = v58 + v74;
    const double v80 = v61 + v76;
    const double v81 = v62 - v75;
    const double v82 = v57 - v73;
    const double v83 = v58 - v74;
    const double v84 = v61 - v76;
    const double v85 = v62 + v75;
    const double v86 = v67 - v68;
    const double v87 = v67 + v68;
    const double v89 = v71 - v72;
    const double v90 = v71 + v72;
    const double v93 = v87 - v89;
    const double v94 = v86 + v90;
    const double v95 = -v94;
    const double v96 = v87 + v89;
    const double v97 = v90 - v86;
    const double v98 = -v96;
    const double v100 = fma(v93, 0.7071067811865476, v59);
    const double v101 = fma(v95, 0.7071067811865476, v60);
    const double v102 = fma(v97, 0.7071067811865476, v63);
    const double v103 = fma(v98, 0.7071067811865476, v64);
    const double v105 = fma(v93, -0.7071067811865476, v59);
    const double v106 = fma(v95, -0.7071067811865476, v60);
    const double v107 = fma(v97, -0.7071067811865476, v63);
    const double v108 = fma(v98, -0.7071067811865476, v64);
    cluster_begun();
    if (0u == own) tile[v10] = make_double2(v78, v79);
    else push(at(tile, 0u) + v10 * 16u, at(&pushes, 0u), make_double2(v78, v79));
    const u32 v110 = v10 + 10u;
    if (0u == own) (tile + v10)[10] = make_double2(v100, v101);
    else push(at(tile, 0u) + v110 * 16u, at(&pushes, 0u), make_double2(v100, v101));
    const u32 v112 = v10 + 20u;
    if (0u == own) (tile + v10)[20] = make_double2(v80, v81);
    else push(at(tile, 0u) + v112 * 16u, at(&pushes, 0u), make_double2(v80, v81));
    const u32 v114 = v10 + 30u;
    if (0u == own) (tile + v10)[30] = make_double2(v102, v103);
    else push(at(tile, 0u) + v114 * 16u, at(&pushes, 0u), make_double2(v102, v103));
    if (1u == own) tile[v10] = make_double2(v82, v83);
    else push(at(tile, 1u) + v10 * 16u, at(&pushes, 1u), make_double2(v82, v83));
    if (1u == own) (tile + v10)[10] = make_double2(v105, v106);
    else push(at(tile, 1u) + v110 * 16u, at(&pushes, 1u), make_double2(v105, v106));
    if (1u == own) (tile + v10)[20] = make_double2(v84, v85);
    else push(at(tile, 1u) + v112 * 16u, at(&pushes, 1u), make_double2(v84, v85));
    if (1u == own) (tile + v10)[30] = make_double2(v107, v108);
    else push(at(tile, 1u) + v114 * 16u, at(&pushes, 1u), make_double2(v107, v108));
    const u32 v115 = opaque(threadIdx.x);
    const u32 v119 = v115 & 3u;
    const u32 v120 = (u32)blockIdx.x;
    const u32 v123 = v120 & 1u;
    const u32 v124 = v123 << 2;
    const u32 v125 = v124 + v119;
    const u32 v126 = v120 >> 1;
    const u32 v130 = v126 << 6;
    const u64 v132 = (u64)v125;
    const double2 l8 = table[v132];
    const double v134 = l8.x;
    const double v135 = l8.y;
    const u32 v136 = v125 << 1;
    const u64 v137 = (u64)v136;
    const double2 l9 = table[v137];
    const double v138 = l9.x;
    const double v139 = l9.y;
    const u32 v140 = v125 << 2;
    const u64 v141 = (u64)v140;
    const double2 l10 = table[v141];
    const double v142 = l10.x;
    const double v143 = l10.y;
    const double v144 = v139 * v135;
    const double v145 = -v144;
    const double v146 = fma(v138, v134, v145);
    const double v147 = v139 * v134;
    const double v148 = fma(v138, v135, v147);
    const double v149 = v143 * v135;
    const double v150 = -v149;
    const double v151 = fma(v142, v134, v150);
    const double v152 = v143 * v134;
    const double v153 = fma(v142, v135, v152);
    const double v154 = v143 * v139;
    const double v155 = -v154;
    const double v156 = fma(v142, v138, v155);
    const double v157 = v143 * v138;
    const double v158 = fma(v142, v139, v157);
    const double v159 = v158 * v135;
    const double v160 = -v159;
    const double v161 = fma(v156, v134, v160);
    const double v162 = v158 * v134;
    const double v163 = fma(v156, v135, v162);
    await_pushes(&pushes);
    __syncthreads();
    const u32 v165 = v119 * 10u;
    const double2 l11 = tile[v165];
    const double v166 = l11.x;
    const double v167 = l11.y;
    const double2 l12 = (tile + v165)[1];
    const double v169 = l12.x;
    const double v170 = l12.y;
    const double v171 = v170 * v135;
    const double v172 = -v171;
    const double v173 = fma(v169, v134, v172);
    const double v174 = v170 * v134;
    const double v175 = fma(v169, v135, v174);
    const double2 l13 = (tile + v165)[2];
    const double v177 = l13.x;
    const double v178 = l13.y;
    const double v179 = v178 * v139;
    const double v180 = -v179;
    const double v181 = fma(v177, v138, v180);
    const double v182 = v178 * v138;
    const double v183 = fma(v177, v139, v182);
    const double2 l14 = (tile + v165)[3];
    const double v185 = l14.x;
    const double v186 = l14.y;
    const double v187 = v186 * v148;
    const double v188 = -v187;
    const double v189 = fma(v185, v146, v188);
    const double v190 = v186 * v146;
    const double v191 = fma(v185, v148, v190);
    const double2 l15 = (tile + v165)[4];
    const double v193 = l15.x;
    const double v194 = l15.y;
    const double v195 = v194 * v143;
    const double v196 = -v195;
    const double v197 = fma(v193, v142, v196);
    const double v198 = v194 * v142;
    const double v199 = fma(v193, v143, v198);
    const double2 l16 = (tile + v165)[5];
    const double v202 = l16.x;
    const double v203 = l16.y;
    const double v204 = v203 * v153;
    const double v205 = -v204;
    const double v206 = fma(v202, v151, v205);
    const double v207 = v203 * v151;
    const double v208 = fma(v202, v153, v207);
    const double2 l17 = (tile + v165)[6];
    const double v211 = l17.x;
    const double v212 = l17.y;
    const double v213 = v212 * v158;
    const double v214 = -v213;
    const double v215 = fma(v211, v156, v214);
    const double v216 = v212 * v156;
    const double v217 = fma(v211, v158, v216);
    const double2 l18 = (tile + v165)[7];
    const double v220 = l18.x;
    const double v221 = l18.y;
    const double v222 = v221 * v163;
    const double v223 = -v222;
    const double v224 = fma(v220, v161, v223);
    const double v225 = v221 * v161;
    const double v226 = fma(v220, v163, v225);
    const double v227 = v166 + v197;
    const double v228 = v167 + v199;
    const double v229 = v166 - v197;
    const double v230 = v167 - v199;
    const double v231 = v181 + v215;
    const double v232 = v183 + v217;
    const double v233 = v181 - v215;
    const double v234 = v183 - v217;
    const double v236 = v227 + v231;
    const double v237 = v228 + v232;
    const double v238 = v229 + v234;
    const double v239 = v230 - v233;
    const double v240 = v227 - v231;
    const double v241 = v228 - v232;
    const double v242 = v229 - v234;
    const double v243 = v230 + v233;
    const double v244 = v173 + v206;
    const double v245 = v175 + v208;
    const double v246 = v173 - v206;
    const double v247 = v175 - v208;
    const double v248 = v189 + v224;
    const double v249 = v191 + v226;
    const double v250 = v189 - v224;
    const double v251 = v191 - v226;
    const double v252 = v244 + v248;
    const double v253 = v245 + v249;
    const double v254 = v244 - v248;
    const double v255 = v245 - v249;
    const double v257 = v236 + v252;
    const double v258 = v237 + v253;
    const double v259 = v240 + v255;
    const double v260 = v241 - v254;
    const double v261 = v236 - v252;
    const double v262 = v237 - v253;
    const double v263 = v240 - v255;
    const double v264 = v241 + v254;
    const double v265 = v246 - v247;
    const double v266 = v246 + v247;
    const double v268 = v250 - v251;
    const double v269 = v250 + v251;
    const double v272 = v266 - v268;
    const double v273 = v265 + v269;
    const double v274 = -v273;
    const double v275 = v266 + v268;
    const double v276 = v269 - v265;
    const double v277 = -v275;
    const double v279 = fma(v272, 0.7071067811865476, v238);
    const double v280 = fma(v274, 0.7071067811865476, v239);
    const double v281 = fma(v276, 0.7071067811865476, v242);
    const double v282 = fma(v277, 0.7071067811865476, v243);
    const double v284 = fma(v272, -0.7071067811865476, v238);
    const double v285 = fma(v274, -0.7071067811865476, v239);
    const double v286 = fma(v276, -0.7071067811865476, v242);
    const double v287 = fma(v277, -0.7071067811865476, v243);
    const u32 v288 = v125 + v130;
    const u64 v289 = (u64)v288;
    target[v289] = make_double2(v257, v258);
    const u64 v291 = v289 + (u64)0x8ul;
    target[v291] = make_double2(v279, v280);
    const u64 v293 = v289 + (u64)0x10ul;
    target[v293] = make_double2(v259, v260);
    const u64 v295 = v289 + (u64)0x18ul;
    target[v295] = make_double2(v281, v282);
    const u64 v297 = v289 + (u64)0x20ul;
    target[v297] = make_double2(v261, v262);
    const u64 v299 = v289 + (u64)0x28ul;
    target[v299] = make_double2(v284, v285);
    const u64 v301 = v289 + (u64)0x30ul;
    target[v301] = make_double2(v263, v264);
    const u64 v303 = v289 + (u64)0x38ul;
    target[v303] = make_double2(v286, v287);
}
