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
struct __align__(128) Map { u64 words[16]; };
#define ROWS 8u
FUNCTION void fetch(void* to, const float2* source, const Map* map, u32 number, u32 first, u32 last, u64* arrivals)
{
    u32 rest = number;
    u64 from = 0;
    const u32 start2 = rest % 256u * 1u;
    rest /= 256u;
    from += start2 * 64ul;
    if ((u64)source % 16ul == 0) {
        if (threadIdx.x == 0) {
            expect_fetched(arrivals, (last - first) * 64u, last == ROWS);
            for (u32 row = first; row < last; row += 8u)
                asm volatile("{ .reg .b64 policy; createpolicy.fractional.L2::evict_first.b64 policy, 1.0; cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, {%2, %3, %4}], [%5], policy; }"
                    :: "r"(at(to) + row * 64u), "l"(map), "r"(0u), "r"(row), "r"(start2), "r"(at(arrivals)) : "memory");
        }
        return;
    }
    for (u32 i = first * 8u + threadIdx.x; i < last * 8u; i += blockDim.x) {
        rest = i;
        u64 at = from;
        at += rest % 8u * 1ul;
        rest /= 8u;
        at += rest % 8u * 8ul;
        rest /= 8u;
        ((float2*)to)[i] = source[at];
    }
    fetched_by_threads(arrivals, last == ROWS);
}
FUNCTION u32 opaque(u32 x) { asm volatile("" : "+r"(x)); __builtin_assume(x < 16u); return x; }
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
#define WARPS 1u
FUNCTION void begin_storing(u64* stored)
{
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" :: "r"(at(stored)), "n"(WARPS) : "memory");
}
FUNCTION void announce(u64* count)
{
    if (threadIdx.x == 0) asm volatile("red.release.gpu.global.add.u32 [%0], 1;" :: "l"(count) : "memory");
}
FUNCTION void announce_stored(u64* stored, u32 phase, u64* count)
{
    __syncwarp();
    if (threadIdx.x % 32u == 0)
        asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" :: "r"(at(stored)) : "memory");
    if (threadIdx.x == 0) await_count(stored, phase);
    announce(count);
}
FUNCTION void announce_landed(u64* count)
{
    if (threadIdx.x == 0) asm volatile("red.relaxed.gpu.global.add.u32 [%0 + 4], 1;" :: "l"(count) : "memory");
}
FUNCTION u64 ask_crew(const u64* count)
{
    u64 found = 0;
    if (threadIdx.x == 0) asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(found) : "l"(count) : "memory");
    return found;
}
FUNCTION void await_crew(const u64* count, u64 found, u32 stored, u32 landed)
{
    if (threadIdx.x == 0) {
        while ((u32)found < stored || (u32)(found >> 32) < landed) found = ask_crew(count);
        asm volatile("fence.proxy.async.global;" ::: "memory");
    }
}
#define CREW 1u
#define POINTS 64ul
#define COUNT_BYTES 128u

extern "C" __global__ __launch_bounds__(16, 51) void pass0_radix8_pass1_radix8(const float2* first_source, const u64 first_source_offset,
    float2* first_target, const u64 first_target_offset,
    const float2* __restrict__ first_table, const u64 first_columns,
    const float2* second_source, const u64 second_source_offset,
    float2* second_target, const u64 second_target_offset,
    const float2* __restrict__ second_table, const u64 second_columns,
    char* counts, const u64 counts_offset, const u64 crews_wide,
    const __grid_constant__ Map map)
{
    extern __shared__ __align__(128) char memory[];
    u64* const arrivals = (u64*)(memory + 608);
    const u32 crews = (u32)crews_wide, batch = (u32)(first_columns / 8u);
    float2* ring = first_target + first_target_offset;
    const u32 crew = blockIdx.x / CREW, member = blockIdx.x % CREW;
    if (crew >= batch) return;
    ring += (0ul - (u64)ring) % 128ul / sizeof(float2) + crew * (2ul * POINTS);
    const u32 rounds = (batch - crew + crews - 1) / crews;
    u64* const count = (u64*)(counts + counts_offset + crew * COUNT_BYTES);
    const float2* const input = first_source + first_source_offset;
    begin_storing(arrivals + 1);
    begin_fetching(arrivals);
    fetch(memory, input, &map, crew * CREW + member, 0u, ROWS, arrivals);
    u32 phase = 0;
    #pragma unroll 1
    for (u32 round = 0; round <= rounds; round++) {
    if (round < rounds) {
    const u32 transform = crew + round * crews, tile_number = transform * CREW + member;
    float2* const target = ring + ((u64)(round & 1u) - transform) * POINTS;
    const float2* __restrict__ const table = first_table;
    const u32 columns = (u32)first_columns;
    float2* const tile = (float2*)memory;
    float2* const fetched = (float2*)memory;
    await_count(arrivals, phase);
    const u32 v0 = opaque(threadIdx.x);
    const u32 v2 = v0 >> 3;
    const u32 v4 = v0 & 7u;
    const u32 v5 = v2 << 3;
    const u32 v6 = v5 + v4;
    const float2 l0 = fetched[v6];
    const float v8 = l0.x;
    const float v9 = l0.y;
    const u32 v11 = v6 + 16u;
    const float2 l1 = fetched[v11];
    const float v12 = l1.x;
    const float v13 = l1.y;
    const u32 v15 = v6 + 32u;
    const float2 l2 = fetched[v15];
    const float v16 = l2.x;
    const float v17 = l2.y;
    const u32 v19 = v6 + 48u;
    const float2 l3 = fetched[v19];
    const float v20 = l3.x;
    const float v21 = l3.y;
    __syncthreads();
    const float v22 = v8 + v16;
    const float v23 = v9 + v17;
    const float v24 = v8 - v16;
    const float v25 = v9 - v17;
    const float v26 = v12 + v20;
    const float v27 = v13 + v21;
    const float v28 = v12 - v20;
    const float v29 = v13 - v21;
    const float v31 = v22 + v26;
    const float v32 = v23 + v27;
    const float v33 = v24 + v29;
    const float v34 = v25 - v28;
    const float v35 = v22 - v26;
    const float v36 = v23 - v27;
    const float v37 = v24 - v29;
    const float v38 = v25 + v28;
    const u32 v41 = v2 << 2;
    const u32 v42 = v41 << 3;
    const u32 v43 = v42 + v4;
    const u32 v44 = v43 >> 4;
    const u32 v45 = v44 << 2;
    const u32 v46 = v43 + v45;
    tile[v46] = make_float2(v31, v32);
    const u32 v47 = v43 + 8u;
    const u32 v48 = v47 >> 4;
    const u32 v49 = v48 << 2;
    const u32 v50 = v43 + v49;
    (tile + v50)[8] = make_float2(v33, v34);
    (tile + v46)[20] = make_float2(v35, v36);
    const u32 v55 = v43 + 24u;
    const u32 v56 = v55 >> 4;
    const u32 v57 = v56 << 2;
    const u32 v58 = v43 + v57;
    (tile + v58)[24] = make_float2(v37, v38);
    const u64 found = round > 0 ? ask_crew(count) : 0;
    __syncthreads();
    const u32 v60 = v6 >> 4;
    const u32 v61 = v60 << 2;
    const u32 v62 = v6 + v61;
    const float2 l4 = tile[v62];
    const float v63 = l4.x;
    const float v64 = l4.y;
    const float2 l5 = (tile + v62)[20];
    const float v66 = l5.x;
    const float v67 = l5.y;
    const float2 l6 = (tile + v62)[40];
    const float v70 = l6.x;
    const float v71 = l6.y;
    const float2 l7 = (tile + v62)[60];
    const float v74 = l7.x;
    const float v75 = l7.y;
    if (round > 0) await_crew(count, found, round * CREW, (round - 1) * CREW);
    __syncthreads();
    if (round > 0) fetch(memory, (const char*)(ring + ((round - 1) & 1u) * POINTS) + member * TILE_BYTES, arrivals);
    else if (rounds > 1) fetch(memory, input, &map, (crew + (round + 1) * crews) * CREW + member, 0u, ROWS, arrivals);
    const u64 v76 = (u64)v2;
    const float2 l8 = table[v76];
    const float v78 = l8.x;
    const float v79 = l8.y;
    const float v80 = v71 * v79;
    const float v81 = -v80;
    const float v82 = fma(v70, v78, v81);
    const float v83 = v71 * v78;
    const float v84 = fma(v70, v79, v83);
    const float v85 = v63 + v82;
    const float v86 = v64 + v84;
    const float v87 = v63 - v82;
    const float v88 = v64 - v84;
    const u32 v90 = v2 + 2u;
    const u64 v91 = (u64)v90;
    const float2 l9 = table[v91];
    const float v92 = l9.x;
    const float v93 = l9.y;
    const float v94 = v75 * v93;
    const float v95 = -v94;
    const float v96 = fma(v74, v92, v95);
    const float v97 = v75 * v92;
    const float v98 = fma(v74, v93, v97);
    const float v99 = v66 + v96;
    const float v100 = v67 + v98;
    const float v101 = v66 - v96;
    const float v102 = v67 - v98;
    const u32 v103 = (u32)tile_number;
    const u32 v105 = v103 << 6;
    const u32 v106 = v4 + v105;
    const u32 v107 = v106 + v5;
    const u64 v108 = (u64)v107;
    target[v108] = make_float2(v85, v86);
    const u32 v109 = v90 << 3;
    const u32 v110 = v106 + v109;
    const u64 v111 = (u64)v110;
    target[v111] = make_float2(v99, v100);
    const u64 v113 = v108 + (u64)0x20ul;
    target[v113] = make_float2(v87, v88);
    const u64 v114 = v111 + (u64)0x20ul;
    target[v114] = make_float2(v101, v102);
    announce_stored(arrivals + 1, round & 1u, count);
    phase ^= 1u;
    if (rounds == 1) {
    await_crew(count, 0, CREW, 0);
    __syncthreads();
    fetch(memory, (const char*)(ring + ((0) & 1u) * POINTS) + member * TILE_BYTES, arrivals);
    }
    }
    if (round > 0) {
    const u32 transform = crew + (round - 1) * crews, tile_number = transform * CREW + member;
    float2* const target = second_target + second_target_offset;
    const float2* __restrict__ const table = second_table;
    const u32 columns = (u32)second_columns;
    float2* const tile = (float2*)memory;
    float2* const fetched = (float2*)memory;
    await_count(arrivals, phase);
    announce_landed(count);
    const u32 v0 = opaque(threadIdx.x);
    const u32 v3 = v0 & 1u;
    const u32 v4 = v0 >> 1;
    const u32 v6 = v4 << 3;
    const u32 v7 = v6 + v3;
    const float2 l0 = fetched[v7];
    const float v9 = l0.x;
    const float v10 = l0.y;
    const u32 v11 = v7 + 2u;
    const float2 l1 = fetched[v11];
    const float v12 = l1.x;
    const float v13 = l1.y;
    const u32 v15 = v7 + 4u;
    const float2 l2 = fetched[v15];
    const float v16 = l2.x;
    const float v17 = l2.y;
    const u32 v19 = v7 + 6u;
    const float2 l3 = fetched[v19];
    const float v20 = l3.x;
    const float v21 = l3.y;
    __syncthreads();
    const u32 v22 = (u32)tile_number;
    const u32 v24 = v22 << 6;
    const u32 v26 = v4 << 1;
    const u64 v27 = (u64)v26;
    const u64 v29 = v27 + (u64)0x4ul;
    const float2 l4 = table[v29];
    const float v30 = l4.x;
    const float v31 = l4.y;
    const u32 v32 = v4 << 2;
    const u64 v33 = (u64)v32;
    const u64 v34 = v33 + (u64)0x4ul;
    const float2 l5 = table[v34];
    const float v35 = l5.x;
    const float v36 = l5.y;
    const u32 v37 = v4 * v3;
    const u64 v38 = (u64)v37;
    const u64 v39 = v38 + (u64)0x4ul;
    const float2 l6 = table[v39];
    const float v40 = l6.x;
    const float v41 = l6.y;
    const float v42 = v10 * v41;
    const float v43 = -v42;
    const float v44 = fma(v9, v40, v43);
    const float v45 = v10 * v40;
    const float v46 = fma(v9, v41, v45);
    const float v47 = v41 * v31;
    const float v48 = -v47;
    const float v49 = fma(v40, v30, v48);
    const float v50 = v41 * v30;
    const float v51 = fma(v40, v31, v50);
    const float v52 = v13 * v51;
    const float v53 = -v52;
    const float v54 = fma(v12, v49, v53);
    const float v55 = v13 * v49;
    const float v56 = fma(v12, v51, v55);
    const float v57 = v41 * v36;
    const float v58 = -v57;
    const float v59 = fma(v40, v35, v58);
    const float v60 = v41 * v35;
    const float v61 = fma(v40, v36, v60);
    const float v62 = v17 * v61;
    const float v63 = -v62;
    const float v64 = fma(v16, v59, v63);
    const float v65 = v17 * v59;
    const float v66 = fma(v16, v61, v65);
    const float v67 = v61 * v31;
    const float v68 = -v67;
    const float v69 = fma(v59, v30, v68);
    const float v70 = v61 * v30;
    const float v71 = fma(v59, v31, v70);
    const float v72 = v21 * v71;
    const float v73 = -v72;
    const float v74 = fma(v20, v69, v73);
    const float v75 = v21 * v69;
    const float v76 = fma(v20, v71, v75);
    const float v77 = v44 + v64;
    const float v78 = v46 + v66;
    const float v79 = v44 - v64;
    const float v80 = v46 - v66;
    const float v81 = v54 + v74;
    const float v82 = v56 + v76;
    const float v83 = v54 - v74;
    const float v84 = v56 - v76;
    const float v86 = v77 + v81;
    const float v87 = v78 + v82;
    const float v88 = v79 + v84;
    const float v89 = v80 - v83;
    const float v90 = v77 - v81;
    const float v91 = v78 - v82;
    const float v92 = v79 - v84;
    const float v93 = v80 + v83;
    const u32 v94 = v3 << 2;
    const u32 v95 = v94 << 3;
    const u32 v96 = v95 + v4;
    const u32 v98 = v96 >> 4;
    const u32 v99 = v98 << 2;
    const u32 v100 = v96 + v99;
    tile[v100] = make_float2(v86, v87);
    const u32 v101 = v96 + 8u;
    const u32 v102 = v101 >> 4;
    const u32 v103 = v102 << 2;
    const u32 v104 = v96 + v103;
    (tile + v104)[8] = make_float2(v88, v89);
    (tile + v100)[20] = make_float2(v90, v91);
    const u32 v109 = v96 + 24u;
    const u32 v110 = v109 >> 4;
    const u32 v111 = v110 << 2;
    const u32 v112 = v96 + v111;
    (tile + v112)[24] = make_float2(v92, v93);
    const u64 found = round + 1 == rounds ? ask_crew(count) : 0;
    __syncthreads();
    const u32 v114 = v0 >> 3;
    const u32 v116 = v0 & 7u;
    const u32 v117 = v114 << 3;
    const u32 v118 = v117 + v116;
    const u32 v119 = v118 >> 4;
    const u32 v120 = v119 << 2;
    const u32 v121 = v118 + v120;
    const float2 l7 = tile[v121];
    const float v122 = l7.x;
    const float v123 = l7.y;
    const float2 l8 = (tile + v121)[20];
    const float v125 = l8.x;
    const float v126 = l8.y;
    const float2 l9 = (tile + v121)[40];
    const float v129 = l9.x;
    const float v130 = l9.y;
    const float2 l10 = (tile + v121)[60];
    const float v133 = l10.x;
    const float v134 = l10.y;
    if (round + 1 == rounds) await_crew(count, found, rounds * CREW, 0);
    __syncthreads();
    if (round + 1 < rounds) fetch(memory, input, &map, (crew + (round + 1) * crews) * CREW + member, 0u, ROWS, arrivals);
    else if (round < rounds) fetch(memory, (const char*)(ring + ((round) & 1u) * POINTS) + member * TILE_BYTES, arrivals);
    const u64 v135 = (u64)v114;
    const float2 l11 = table[v135];
    const float v137 = l11.x;
    const float v138 = l11.y;
    const float v139 = v130 * v138;
    const float v140 = -v139;
    const float v141 = fma(v129, v137, v140);
    const float v142 = v130 * v137;
    const float v143 = fma(v129, v138, v142);
    const float v144 = v122 + v141;
    const float v145 = v123 + v143;
    const float v146 = v122 - v141;
    const float v147 = v123 - v143;
    const u32 v148 = v114 + 2u;
    const u64 v149 = (u64)v148;
    const float2 l12 = table[v149];
    const float v150 = l12.x;
    const float v151 = l12.y;
    const float v152 = v134 * v151;
    const float v153 = -v152;
    const float v154 = fma(v133, v150, v153);
    const float v155 = v134 * v150;
    const float v156 = fma(v133, v151, v155);
    const float v157 = v125 + v154;
    const float v158 = v126 + v156;
    const float v159 = v125 - v154;
    const float v160 = v126 - v156;
    const u32 v161 = v116 + v24;
    const u32 v162 = v161 + v117;
    const u64 v163 = (u64)v162;
    __stcs(&target[v163], make_float2(v144, v145));
    const u32 v164 = v148 << 3;
    const u32 v165 = v161 + v164;
    const u64 v166 = (u64)v165;
    __stcs(&target[v166], make_float2(v157, v158));
    const u64 v168 = v163 + (u64)0x20ul;
    __stcs(&target[v168], make_float2(v146, v147));
    const u64 v169 = v166 + (u64)0x20ul;
    __stcs(&target[v169], make_float2(v159, v160));
    phase ^= 1u;
    }
    }
}
