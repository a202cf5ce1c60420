typedef uint u32;
typedef ulong u64;
#define FUNCTION static inline
#define mul_hi64 mul_hi
#define GL_P 0xffffffff00000001ul
#define GL_EPSILON 0xfffffffful

/* p = 2^64 - 2^32 + 1, so 2^64 = 2^32 - 1 and 2^96 = -1 mod p. A word is any u64, standing for its residue; only what
   goes to the caller is brought below p. A wide value is a sum that has not been reduced: low + 2^64 high, signed. */
typedef struct { u64 low; long high; } wide;

FUNCTION u64 gl_reduce(u64 a) { return a >= GL_P ? a - GL_P : a; }

FUNCTION wide gl_widen(u64 a) {
    wide r;
    r.low = a;
    r.high = 0;
    return r;
}

FUNCTION wide gl_add(wide a, wide b) {
    wide r;
    r.low = a.low + b.low;
    r.high = a.high + b.high + (r.low < a.low ? 1 : 0);
    return r;
}

FUNCTION wide gl_sub(wide a, wide b) {
    wide r;
    r.low = a.low - b.low;
    r.high = a.high - b.high - (a.low < b.low ? 1 : 0);
    return r;
}

/* 2^32 h + l */
FUNCTION wide gl_join(long h, long l) {
    wide r;
    r.low = ((u64)h << 32) + (u64)l;
    r.high = (h >> 32) + (l >> 63) + (r.low < (u64)l ? 1 : 0);
    return r;
}

/* a 2^t for 0 <= t < 32 is y0 + 2^32 y1 + 2^64 y2 with words y0, y1 and a small signed y2. */
typedef struct { long y0, y1, y2; } gl_shifted;

FUNCTION gl_shifted gl_shift(wide a, u64 t) {
    gl_shifted r;
    const u64 low = a.low << t;
    r.y0 = (long)(low & GL_EPSILON);
    r.y1 = (long)(low >> 32);
    r.y2 = (long)(((u64)a.high << t) | (t ? a.low >> (64 - t) : 0));
    return r;
}

/* a 2^(t + 0) */
FUNCTION wide gl_shift0(wide a, u64 t) {
    const gl_shifted s = gl_shift(a, t);
    return gl_join(s.y1 + s.y2, s.y0 - s.y2);
}

/* a 2^(t + 32) */
FUNCTION wide gl_shift32(wide a, u64 t) {
    const gl_shifted s = gl_shift(a, t);
    return gl_join(s.y0 + s.y1, -(s.y1 + s.y2));
}

/* a 2^(t + 64) */
FUNCTION wide gl_shift64(wide a, u64 t) {
    const gl_shifted s = gl_shift(a, t);
    return gl_join(s.y0 - s.y2, -(s.y0 + s.y1));
}

/* A word of the same residue. |high| is below 2^16. */
FUNCTION u64 gl_narrow(wide a) {
    const u64 d = (u64)(a.high << 32) - (u64)a.high;
    const u64 r = a.low + d;
    if (a.high >= 0) return r + (r < d ? GL_EPSILON : 0);
    return r - (r > a.low ? GL_EPSILON : 0);
}

FUNCTION u64 gl_mul(u64 a, u64 b) {
    const u64 low = a * b, high = mul_hi64(a, b);
    const u64 middle = high & GL_EPSILON, top = high >> 32;
    const u64 r = low - top - (low < top ? GL_EPSILON : 0);
    const u64 t = (middle << 32) - middle;
    const u64 s = r + t;
    return s + (s < t ? GL_EPSILON : 0);
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void pass0_radix32(__global const u64* restrict source_base, const u64 source_offset,
    __global u64* restrict target_base, const u64 target_offset,
    __global const u64* restrict table, const u64 columns_wide)
{
    __global const u64* restrict source = source_base + source_offset;
    __global u64* restrict target = target_base + target_offset;
    const u32 columns = (u32)columns_wide;
    __local u64 tile[2303];
    const u32 v0 = (u32)get_local_id(0);
    const u32 v2 = v0 >> 5;
    const u32 v5 = v0 & 31u;
    const u32 v6 = (u32)get_group_id(0);
    const u32 v7 = columns;
    const u32 v9 = v6 << 6;
    const u32 v10 = v9 + v2;
    const bool v11 = v10 < v7;
    const u32 v13 = v7 - 1u;
    const u32 v14 = min(v10, v13);
    const u32 v15 = v14 << 5;
    const u32 v16 = v15 + v5;
    const u64 v17 = (u64)v16;
    const u64 v19 = source[v17];
    const u32 v21 = v2 + 8u;
    const u32 v22 = v9 + v21;
    const bool v23 = v22 < v7;
    const u32 v24 = min(v22, v13);
    const u32 v25 = v24 << 5;
    const u32 v26 = v25 + v5;
    const u64 v27 = (u64)v26;
    const u64 v28 = source[v27];
    const u32 v30 = v2 + 16u;
    const u32 v31 = v9 + v30;
    const bool v32 = v31 < v7;
    const u32 v33 = min(v31, v13);
    const u32 v34 = v33 << 5;
    const u32 v35 = v34 + v5;
    const u64 v36 = (u64)v35;
    const u64 v37 = source[v36];
    const u32 v39 = v2 + 24u;
    const u32 v40 = v9 + v39;
    const bool v41 = v40 < v7;
    const u32 v42 = min(v40, v13);
    const u32 v43 = v42 << 5;
    const u32 v44 = v43 + v5;
    const u64 v45 = (u64)v44;
    const u64 v46 = source[v45];
    const u32 v47 = v2 + 32u;
    const u32 v48 = v9 + v47;
    const bool v49 = v48 < v7;
    const u32 v50 = min(v48, v13);
    const u32 v51 = v50 << 5;
    const u32 v52 = v51 + v5;
    const u64 v53 = (u64)v52;
    const u64 v54 = source[v53];
    const u32 v56 = v2 + 40u;
    const u32 v57 = v9 + v56;
    const bool v58 = v57 < v7;
    const u32 v59 = min(v57, v13);
    const u32 v60 = v59 << 5;
    const u32 v61 = v60 + v5;
    const u64 v62 = (u64)v61;
    const u64 v63 = source[v62];
    const u32 v65 = v2 + 48u;
    const u32 v66 = v9 + v65;
    const bool v67 = v66 < v7;
    const u32 v68 = min(v66, v13);
    const u32 v69 = v68 << 5;
    const u32 v70 = v69 + v5;
    const u64 v71 = (u64)v70;
    const u64 v72 = source[v71];
    const u32 v74 = v2 + 56u;
    const u32 v75 = v9 + v74;
    const bool v76 = v75 < v7;
    const u32 v77 = min(v75, v13);
    const u32 v78 = v77 << 5;
    const u32 v79 = v78 + v5;
    const u64 v80 = (u64)v79;
    const u64 v81 = source[v80];
    const u32 v83 = v2 * 36u;
    const u32 v84 = v5 + v83;
    tile[v84] = v19;
    const u32 v85 = v21 * 36u;
    const u32 v86 = v5 + v85;
    tile[v86] = v28;
    const u32 v87 = v30 * 36u;
    const u32 v88 = v5 + v87;
    tile[v88] = v37;
    const u32 v89 = v39 * 36u;
    const u32 v90 = v5 + v89;
    tile[v90] = v46;
    const u32 v91 = v47 * 36u;
    const u32 v92 = v5 + v91;
    tile[v92] = v54;
    const u32 v93 = v56 * 36u;
    const u32 v94 = v5 + v93;
    tile[v94] = v63;
    const u32 v95 = v65 * 36u;
    const u32 v96 = v5 + v95;
    tile[v96] = v72;
    const u32 v97 = v74 * 36u;
    const u32 v98 = v5 + v97;
    tile[v98] = v81;
    barrier(CLK_LOCAL_MEM_FENCE);
    const u32 v101 = v0 & 3u;
    const u32 v102 = v0 >> 2;
    const u32 v103 = v102 * 36u;
    const u32 v104 = v101 + v103;
    const u64 v105 = tile[v104];
    const u64 v107 = (tile + v104)[4];
    const u64 v109 = (tile + v104)[8];
    const u64 v112 = (tile + v104)[12];
    const u64 v114 = (tile + v104)[16];
    const u64 v117 = (tile + v104)[20];
    const u64 v119 = (tile + v104)[24];
    const u64 v122 = (tile + v104)[28];
    const wide v123 = gl_widen(v105);
    const wide v124 = gl_widen(v114);
    const wide v125 = gl_add(v123, v124);
    const wide v126 = gl_sub(v123, v124);
    const wide v127 = gl_widen(v109);
    const wide v128 = gl_widen(v119);
    const wide v129 = gl_add(v127, v128);
    const wide v130 = gl_sub(v127, v128);
    const wide v132 = gl_shift32(v130, (u64)0x10ul);
    const wide v133 = gl_add(v125, v129);
    const wide v134 = gl_add(v126, v132);
    const wide v135 = gl_sub(v125, v129);
    const wide v136 = gl_sub(v126, v132);
    const wide v137 = gl_widen(v107);
    const wide v138 = gl_widen(v117);
    const wide v139 = gl_add(v137, v138);
    const wide v140 = gl_sub(v137, v138);
    const wide v141 = gl_widen(v112);
    const wide v142 = gl_widen(v122);
    const wide v143 = gl_add(v141, v142);
    const wide v144 = gl_sub(v141, v142);
    const wide v145 = gl_add(v139, v143);
    const wide v146 = gl_sub(v139, v143);
    const wide v147 = gl_shift32(v146, (u64)0x10ul);
    const wide v149 = gl_shift0(v140, (u64)0x18ul);
    const wide v151 = gl_shift64(v144, (u64)0x8ul);
    const wide v152 = gl_add(v149, v151);
    const wide v153 = gl_sub(v151, v149);
    const wide v154 = gl_shift32(v153, (u64)0x10ul);
    const wide v155 = gl_add(v133, v145);
    const wide v156 = gl_sub(v134, v152);
    const wide v157 = gl_add(v135, v147);
    const wide v158 = gl_add(v136, v154);
    const wide v159 = gl_sub(v133, v145);
    const wide v160 = gl_add(v134, v152);
    const wide v161 = gl_sub(v135, v147);
    const wide v162 = gl_sub(v136, v154);
    const u64 v163 = gl_narrow(v155);
    const u64 v164 = gl_narrow(v156);
    const u64 v165 = gl_narrow(v157);
    const u64 v166 = gl_narrow(v158);
    const u64 v167 = gl_narrow(v159);
    const u64 v168 = gl_narrow(v160);
    const u64 v169 = gl_narrow(v161);
    const u64 v170 = gl_narrow(v162);
    barrier(CLK_LOCAL_MEM_FENCE);
    const u32 v171 = v101 << 3;
    const u32 v172 = v102 << 5;
    const u32 v173 = v171 + v172;
    const u32 v174 = v173 >> 3;
    const u32 v175 = v173 + v174;
    tile[v175] = v163;
    (tile + v175)[1] = v164;
    (tile + v175)[2] = v165;
    (tile + v175)[3] = v166;
    (tile + v175)[4] = v167;
    (tile + v175)[5] = v168;
    (tile + v175)[6] = v169;
    (tile + v175)[7] = v170;
    barrier(CLK_LOCAL_MEM_FENCE);
    const u32 v187 = v101 + v172;
    const u32 v188 = v187 >> 3;
    const u32 v189 = v187 + v188;
    const u64 v190 = tile[v189];
    const u32 v191 = v187 + 4u;
    const u32 v192 = v191 >> 3;
    const u32 v193 = v187 + v192;
    const u64 v195 = (tile + v193)[4];
    const u64 v198 = (tile + v189)[9];
    const u32 v199 = v187 + 12u;
    const u32 v200 = v199 >> 3;
    const u32 v201 = v187 + v200;
    const u64 v203 = (tile + v201)[12];
    const u64 v206 = (tile + v189)[18];
    const u32 v207 = v187 + 20u;
    const u32 v208 = v207 >> 3;
    const u32 v209 = v187 + v208;
    const u64 v211 = (tile + v209)[20];
    const u64 v214 = (tile + v189)[27];
    const u32 v215 = v187 + 28u;
    const u32 v216 = v215 >> 3;
    const u32 v217 = v187 + v216;
    const u64 v219 = (tile + v217)[28];
    const u64 v220 = (u64)v101;
    const u64 v221 = table[v220];
    const u64 v222 = gl_mul(v198, v221);
    const u64 v223 = v220 + (u64)0x8ul;
    const u64 v224 = table[v223];
    const u64 v225 = gl_mul(v206, v224);
    const u64 v226 = v220 + (u64)0x10ul;
    const u64 v227 = table[v226];
    const u64 v228 = gl_mul(v214, v227);
    const wide v229 = gl_widen(v190);
    const wide v230 = gl_widen(v225);
    const wide v231 = gl_add(v229, v230);
    const wide v232 = gl_sub(v229, v230);
    const wide v233 = gl_widen(v222);
    const wide v234 = gl_widen(v228);
    const wide v235 = gl_add(v233, v234);
    const wide v236 = gl_sub(v233, v234);
    const wide v237 = gl_shift32(v236, (u64)0x10ul);
    const wide v238 = gl_add(v231, v235);
    const wide v239 = gl_add(v232, v237);
    const wide v240 = gl_sub(v231, v235);
    const wide v241 = gl_sub(v232, v237);
    const u32 v242 = v101 + 4u;
    const u64 v243 = (u64)v242;
    const u64 v244 = table[v243];
    const u64 v245 = gl_mul(v203, v244);
    const u64 v246 = v243 + (u64)0x8ul;
    const u64 v247 = table[v246];
    const u64 v248 = gl_mul(v211, v247);
    const u64 v249 = v243 + (u64)0x10ul;
    const u64 v250 = table[v249];
    const u64 v251 = gl_mul(v219, v250);
    const wide v252 = gl_widen(v195);
    const wide v253 = gl_widen(v248);
    const wide v254 = gl_add(v252, v253);
    const wide v255 = gl_sub(v252, v253);
    const wide v256 = gl_widen(v245);
    const wide v257 = gl_widen(v251);
    const wide v258 = gl_add(v256, v257);
    const wide v259 = gl_sub(v256, v257);
    const wide v260 = gl_shift32(v259, (u64)0x10ul);
    const wide v261 = gl_add(v254, v258);
    const wide v262 = gl_add(v255, v260);
    const wide v263 = gl_sub(v254, v258);
    const wide v264 = gl_sub(v255, v260);
    const u64 v265 = gl_narrow(v238);
    const u64 v266 = gl_narrow(v261);
    const u64 v267 = gl_narrow(v239);
    const u64 v268 = gl_narrow(v262);
    const u64 v269 = gl_narrow(v240);
    const u64 v270 = gl_narrow(v263);
    const u64 v271 = gl_narrow(v241);
    const u64 v272 = gl_narrow(v264);
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[v104] = v265;
    (tile + v104)[4] = v266;
    (tile + v104)[8] = v267;
    (tile + v104)[12] = v268;
    (tile + v104)[16] = v269;
    (tile + v104)[20] = v270;
    (tile + v104)[24] = v271;
    (tile + v104)[28] = v272;
    barrier(CLK_LOCAL_MEM_FENCE);
    const u64 v273 = tile[v84];
    const u64 v274 = tile[v86];
    const u64 v275 = tile[v88];
    const u64 v276 = tile[v90];
    const u64 v277 = tile[v92];
    const u64 v278 = tile[v94];
    const u64 v279 = tile[v96];
    const u64 v280 = tile[v98];
    const u64 v281 = gl_reduce(v273);
    const u64 v282 = gl_reduce(v274);
    const u64 v283 = gl_reduce(v275);
    const u64 v284 = gl_reduce(v276);
    const u64 v285 = gl_reduce(v277);
    const u64 v286 = gl_reduce(v278);
    const u64 v287 = gl_reduce(v279);
    const u64 v288 = gl_reduce(v280);
    if (v11) {
        target[v17] = v281;
    }
    if (v23) {
        target[v27] = v282;
    }
    if (v32) {
        target[v36] = v283;
    }
    if (v41) {
        target[v45] = v284;
    }
    if (v49) {
        target[v53] = v285;
    }
    if (v58) {
        target[v62] = v286;
    }
    if (v67) {
        target[v71] = v287;
    }
    if (v76) {
        target[v80] = v288;
    }
}
