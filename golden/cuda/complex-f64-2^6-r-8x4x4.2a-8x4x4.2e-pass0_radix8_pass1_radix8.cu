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
#define TILE_BYTES 1024u
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
FUNCTION void fetch(void* to, const double2* source, const Map* map, u32 number, u32 first, u32 last, u64* arrivals)
{
    u32 rest = number;
    u64 from = 0;
    const u32 start2 = rest % 256u * 1u;
    rest /= 256u;
    from += start2 * 64ul;
    if ((u64)source % 16ul == 0) {
        if (threadIdx.x == 0) {
            expect_fetched(arrivals, (last - first) * 128u, last == ROWS);
            for (u32 row = first; row < last; row += 4u)
                asm volatile("{ .reg .b64 policy; createpolicy.fractional.L2::evict_first.b64 policy, 1.0; cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint [%0], [%1, {%2, %3, %4}], [%5], policy; }"
                    :: "r"(at(to) + row * 128u), "l"(map), "r"(0u * 2u), "r"(row), "r"(start2), "r"(at(arrivals)) : "memory");
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
        ((double2*)to)[i] = source[at];
    }
    fetched_by_threads(arrivals, last == ROWS);
}
FUNCTION u32 opaque(u32 x) { asm volatile("" : "+r"(x)); __builtin_assume(x < 16u); return x; }
#define COPY_BYTES 1024u
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
#define DRAWER ((WARPS - 1u) * 32u)
FUNCTION u32 draw(u32* drawn)
{
    u32 number = 0;
    if (threadIdx.x == DRAWER)
        asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], 1;" : "=r"(number) : "l"(drawn) : "memory");
    return number;
}
FUNCTION void write_down(u64* place, u32 round, u32 transform)
{
    if (threadIdx.x == DRAWER)
        asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" :: "l"(place), "l"((u64)round << 32 | transform) : "memory");
}
FUNCTION void await_drawn(const u64* place, u64 found, u32 round, volatile u32* told)
{
    if (threadIdx.x == 0) {
        while ((u32)(found >> 32) != round) found = ask_crew(place);
        *told = (u32)found;
    }
}
#define EARLY_ROWS 4u
#define CREW 1u
#define POINTS 64ul
#define COUNT_BYTES 128u

extern "C" __global__ __launch_bounds__(16, 42) void pass0_radix8_pass1_radix8(const double2* first_source, const u64 first_source_offset,
    double2* first_target, const u64 first_target_offset,
    const double2* __restrict__ first_table, const u64 first_columns,
    const double2* second_source, const u64 second_source_offset,
    double2* second_target, const u64 second_target_offset,
    const double2* __restrict__ second_table, const u64 second_columns,
    char* counts, const u64 counts_offset, const u64 crews_wide,
    const __grid_constant__ Map map)
{
    extern __shared__ __align__(128) char memory[];
    u64* const arrivals = (u64*)(memory + 1120);
    const u32 crews = (u32)crews_wide, batch = (u32)(first_columns / 8u);
    double2* ring = first_target + first_target_offset;
    const u32 crew = blockIdx.x / CREW, member = blockIdx.x % CREW;
    if (crew >= batch) return;
    ring += (0ul - (u64)ring) % 128ul / sizeof(double2) + crew * (2ul * POINTS);
    volatile u32* const told = (u32*)(arrivals + 2);
    u32* const drawn = (u32*)(counts + counts_offset + crews * COUNT_BYTES) + 2;
    u32 before = 0, now = crew, next = crew + crews;
    u64* const count = (u64*)(counts + counts_offset + crew * COUNT_BYTES);
    const double2* const input = first_source + first_source_offset;
    begin_storing(arrivals + 1);
    begin_fetching(arrivals);
    fetch(memory, input, &map, crew * CREW + member, 0u, ROWS, arrivals);
    u32 phase = 0;
    #pragma unroll 1
    for (u32 round = 0; ; round++) {
    if (now < batch) {
    const u32 transform = now, tile_number = transform * CREW + member;
    double2* const target = ring + ((u64)(round & 1u) - transform) * POINTS;
    const double2* __restrict__ const table = first_table;
    const u32 columns = (u32)first_columns;
    double2* const tile = (double2*)memory;
    double2* const fetched = (double2*)memory;
    await_count(arrivals, phase);
    const u32 v0 = opaque(threadIdx.x);
    const u32 v2 = v0 >> 3;
    const u32 v4 = v0 & 7u;
    const u32 v5 = v2 << 3;
    const u32 v6 = v5 + v4;
    const double2 l0 = fetched[v6];
    const double v8 = l0.x;
    const double v9 = l0.y;
    const u32 v11 = v6 + 16u;
    const double2 l1 = fetched[v11];
    const double v12 = l1.x;
    const double v13 = l1.y;
    const u32 v15 = v6 + 32u;
    const double2 l2 = fetched[v15];
    const double v16 = l2.x;
    const double v17 = l2.y;
    const u32 v19 = v6 + 48u;
    const double2 l3 = fetched[v19];
    const double v20 = l3.x;
    const double v21 = l3.y;
    __syncthreads();
    const double v22 = v8 + v16;
    const double v23 = v9 + v17;
    const double v24 = v8 - v16;
    const double v25 = v9 - v17;
    const double v26 = v12 + v20;
    const double v27 = v13 + v21;
    const double v28 = v12 - v20;
    const double v29 = v13 - v21;
    const double v31 = v22 + v26;
    const double v32 = v23 + v27;
    const double v33 = v24 + v29;
    const double v34 = v25 - v28;
    const double v35 = v22 - v26;
    const double v36 = v23 - v27;
    const double v37 = v24 - v29;
    const double v38 = v25 + v28;
    const u32 v41 = v2 << 2;
    const u32 v42 = v41 << 3;
    const u32 v43 = v42 + v4;
    tile[v43] = make_double2(v31, v32);
    (tile + v43)[8] = make_double2(v33, v34);
    (tile + v43)[16] = make_double2(v35, v36);
    (tile + v43)[24] = make_double2(v37, v38);
    const u64 found = round > 0 ? ask_crew(count) : 0;
    const u64 written = round > 0 ? ask_crew(count + 1 + (round + 1) % 2u) : 0;
    const u32 number = member == 0 ? draw(drawn) : 0;
    __syncthreads();
    const double2 l4 = tile[v6];
    const double v48 = l4.x;
    const double v49 = l4.y;
    const double2 l5 = (tile + v6)[16];
    const double v50 = l5.x;
    const double v51 = l5.y;
    const double2 l6 = (tile + v6)[32];
    const double v52 = l6.x;
    const double v53 = l6.y;
    const double2 l7 = (tile + v6)[48];
    const double v54 = l7.x;
    const double v55 = l7.y;
    if (round > 0) await_crew(count, found, round * CREW, (round - 1) * CREW);
    if (round > 0) await_drawn(count + 1 + (round + 1) % 2u, written, round + 1, told);
    __syncthreads();
    if (round > 0) fetch(memory, (const char*)(ring + ((round - 1) & 1u) * POINTS) + member * TILE_BYTES, arrivals);
    else if (next < batch) fetch(memory, input, &map, next * CREW + member, 0u, ROWS, arrivals);
    if (round > 0) next = *told;
    if (member == 0) write_down(count + 1 + round % 2u, round + 2, 2 * crews + number);
    const u64 v56 = (u64)v2;
    const double2 l8 = table[v56];
    const double v58 = l8.x;
    const double v59 = l8.y;
    const double v60 = v53 * v59;
    const double v61 = -v60;
    const double v62 = fma(v52, v58, v61);
    const double v63 = v53 * v58;
    const double v64 = fma(v52, v59, v63);
    const double v65 = v48 + v62;
    const double v66 = v49 + v64;
    const double v67 = v48 - v62;
    const double v68 = v49 - v64;
    const u32 v70 = v2 + 2u;
    const u64 v71 = (u64)v70;
    const double2 l9 = table[v71];
    const double v72 = l9.x;
    const double v73 = l9.y;
    const double v74 = v55 * v73;
    const double v75 = -v74;
    const double v76 = fma(v54, v72, v75);
    const double v77 = v55 * v72;
    const double v78 = fma(v54, v73, v77);
    const double v79 = v50 + v76;
    const double v80 = v51 + v78;
    const double v81 = v50 - v76;
    const double v82 = v51 - v78;
    const u32 v83 = (u32)tile_number;
    const u32 v85 = v83 << 6;
    const u32 v86 = v4 + v85;
    const u32 v87 = v86 + v5;
    const u64 v88 = (u64)v87;
    target[v88] = make_double2(v65, v66);
    const u32 v89 = v70 << 3;
    const u32 v90 = v86 + v89;
    const u64 v91 = (u64)v90;
    target[v91] = make_double2(v79, v80);
    const u64 v93 = v88 + (u64)0x20ul;
    target[v93] = make_double2(v67, v68);
    const u64 v94 = v91 + (u64)0x20ul;
    target[v94] = make_double2(v81, v82);
    announce_stored(arrivals + 1, round & 1u, count);
    phase ^= 1u;
    if (round == 0 && next >= batch) {
    await_crew(count, 0, CREW, 0);
    __syncthreads();
    fetch(memory, (const char*)(ring + ((0) & 1u) * POINTS) + member * TILE_BYTES, arrivals);
    }
    }
    if (round > 0) {
    const u32 transform = before, tile_number = transform * CREW + member;
    double2* const target = second_target + second_target_offset;
    const double2* __restrict__ const table = second_table;
    const u32 columns = (u32)second_columns;
    double* const tile = (double*)memory;
    double2* const fetched = (double2*)memory;
    await_count(arrivals, phase);
    announce_landed(count);
    const u32 v0 = opaque(threadIdx.x);
    const u32 v3 = v0 & 1u;
    const u32 v4 = v0 >> 1;
    const u32 v6 = v4 << 3;
    const u32 v7 = v6 + v3;
    const double2 l0 = fetched[v7];
    const double v9 = l0.x;
    const double v10 = l0.y;
    const u32 v11 = v7 + 2u;
    const double2 l1 = fetched[v11];
    const double v12 = l1.x;
    const double v13 = l1.y;
    const u32 v15 = v7 + 4u;
    const double2 l2 = fetched[v15];
    const double v16 = l2.x;
    const double v17 = l2.y;
    const u32 v19 = v7 + 6u;
    const double2 l3 = fetched[v19];
    const double v20 = l3.x;
    const double v21 = l3.y;
    __syncthreads();
    if (next < batch) fetch(memory, input, &map, next * CREW + member, 0u, EARLY_ROWS, arrivals);
    const u32 v22 = (u32)tile_number;
    const u32 v24 = v22 << 6;
    const u32 v26 = v4 << 1;
    const u64 v27 = (u64)v26;
    const u64 v29 = v27 + (u64)0x4ul;
    const double2 l4 = table[v29];
    const double v30 = l4.x;
    const double v31 = l4.y;
    const u32 v32 = v4 << 2;
    const u64 v33 = (u64)v32;
    const u64 v34 = v33 + (u64)0x4ul;
    const double2 l5 = table[v34];
    const double v35 = l5.x;
    const double v36 = l5.y;
    const u32 v37 = v4 * v3;
    const u64 v38 = (u64)v37;
    const u64 v39 = v38 + (u64)0x4ul;
    const double2 l6 = table[v39];
    const double v40 = l6.x;
    const double v41 = l6.y;
    const double v42 = v10 * v41;
    const double v43 = -v42;
    const double v44 = fma(v9, v40, v43);
    const double v45 = v10 * v40;
    const double v46 = fma(v9, v41, v45);
    const double v47 = v41 * v31;
    const double v48 = -v47;
    const double v49 = fma(v40, v30, v48);
    const double v50 = v41 * v30;
    const double v51 = fma(v40, v31, v50);
    const double v52 = v13 * v51;
    const double v53 = -v52;
    const double v54 = fma(v12, v49, v53);
    const double v55 = v13 * v49;
    const double v56 = fma(v12, v51, v55);
    const double v57 = v41 * v36;
    const double v58 = -v57;
    const double v59 = fma(v40, v35, v58);
    const double v60 = v41 * v35;
    const double v61 = fma(v40, v36, v60);
    const double v62 = v17 * v61;
    const double v63 = -v62;
    const double v64 = fma(v16, v59, v63);
    const double v65 = v17 * v59;
    const double v66 = fma(v16, v61, v65);
    const double v67 = v61 * v31;
    const double v68 = -v67;
    const double v69 = fma(v59, v30, v68);
    const double v70 = v61 * v30;
    const double v71 = fma(v59, v31, v70);
    const double v72 = v21 * v71;
    const double v73 = -v72;
    const double v74 = fma(v20, v69, v73);
    const double v75 = v21 * v69;
    const double v76 = fma(v20, v71, v75);
    const double v77 = v44 + v64;
    const double v78 = v46 + v66;
    const double v79 = v44 - v64;
    const double v80 = v46 - v66;
    const double v81 = v54 + v74;
    const double v82 = v56 + v76;
    const double v83 = v54 - v74;
    const double v84 = v56 - v76;
    const double v86 = v77 + v81;
    const double v87 = v78 + v82;
    const double v88 = v79 + v84;
    const double v89 = v80 - v83;
    const double v90 = v77 - v81;
    const double v91 = v78 - v82;
    const double v92 = v79 - v84;
    const double v93 = v80 + v83;
    const u32 v94 = v3 << 2;
    const u32 v95 = v94 << 3;
    const u32 v96 = v95 + v4;
    const u32 v98 = v96 >> 4;
    const u32 v99 = v98 << 2;
    const u32 v100 = v96 + v99;
    (tile + v100)[64] = v86;
    const u32 v102 = v96 + 8u;
    const u32 v103 = v102 >> 4;
    const u32 v104 = v103 << 2;
    const u32 v105 = v96 + v104;
    (tile + v105)[72] = v88;
    (tile + v100)[84] = v90;
    const u32 v114 = v96 + 24u;
    const u32 v115 = v114 >> 4;
    const u32 v116 = v115 << 2;
    const u32 v117 = v96 + v116;
    (tile + v117)[88] = v92;
    const u64 found = now < batch && next >= batch ? ask_crew(count) : 0;
    __syncthreads();
    const u32 v121 = v0 >> 3;
    const u32 v123 = v0 & 7u;
    const u32 v124 = v121 << 3;
    const u32 v125 = v124 + v123;
    const u32 v126 = v125 >> 4;
    const u32 v127 = v126 << 2;
    const u32 v128 = v125 + v127;
    const double v130 = (tile + v128)[64];
    const double v133 = (tile + v128)[84];
    const double v138 = (tile + v128)[104];
    const double v143 = (tile + v128)[124];
    __syncthreads();
    (tile + v100)[64] = v87;
    (tile + v105)[72] = v89;
    (tile + v100)[84] = v91;
    (tile + v117)[88] = v93;
    __syncthreads();
    const double v144 = (tile + v128)[64];
    const double v145 = (tile + v128)[84];
    const double v146 = (tile + v128)[104];
    const double v147 = (tile + v128)[124];
    if (now < batch && next >= batch) await_crew(count, found, (round + 1) * CREW, 0);
    __syncthreads();
    if (next < batch) fetch(memory, input, &map, next * CREW + member, EARLY_ROWS, ROWS, arrivals);
    else if (now < batch) fetch(memory, (const char*)(ring + ((round) & 1u) * POINTS) + member * TILE_BYTES, arrivals);
    const u64 v148 = (u64)v121;
    const double2 l7 = table[v148];
    const double v150 = l7.x;
    const double v151 = l7.y;
    const double v152 = v146 * v151;
    const double v153 = -v152;
    const double v154 = fma(v138, v150, v153);
    const double v155 = v146 * v150;
    const double v156 = fma(v138, v151, v155);
    const double v157 = v130 + v154;
    const double v158 = v144 + v156;
    const double v159 = v130 - v154;
    const double v160 = v144 - v156;
    const u32 v161 = v121 + 2u;
    const u64 v162 = (u64)v161;
    const double2 l8 = table[v162];
    const double v163 = l8.x;
    const double v164 = l8.y;
    const double v165 = v147 * v164;
    const double v166 = -v165;
    const double v167 = fma(v143, v163, v166);
    const double v168 = v147 * v163;
    const double v169 = fma(v143, v164, v168);
    const double v170 = v133 + v167;
    const double v171 = v145 + v169;
    const double v172 = v133 - v167;
    const double v173 = v145 - v169;
    const u32 v174 = v123 + v24;
    const u32 v175 = v174 + v124;
    const u64 v176 = (u64)v175;
    __stcs(&target[v176], make_double2(v157, v158));
    const u32 v177 = v161 << 3;
    const u32 v178 = v174 + v177;
    const u64 v179 = (u64)v178;
    __stcs(&target[v179], make_double2(v170, v171));
    const u64 v181 = v176 + (u64)0x20ul;
    __stcs(&target[v181], make_double2(v159, v160));
    const u64 v182 = v179 + (u64)0x20ul;
    __stcs(&target[v182], make_double2(v172, v173));
    phase ^= 1u;
    }
    if (now >= batch) break;
    before = now;
    now = next;
    }
}
