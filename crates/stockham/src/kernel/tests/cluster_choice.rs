//! What the planner takes clusters for.

use num_complex::Complex;

use super::check;
use super::cluster::hopper;
use crate::algebra::Algebra;
use crate::device_info::DeviceInfo;
use crate::plan::{Choice, Launches, Recipe, banks, choose, plan};
use crate::transform::Transform;

fn blocks_of(recipe: &Recipe) -> Option<usize> {
    recipe.passes().last().and_then(|pass| pass.hopper.cluster).map(|cluster| cluster.blocks)
}

/// What the planner takes clusters for, and their work-groups.
const PLANNED_F32: [(u32, usize); 3] = [(14, 4), (15, 8), (16, 16)];
const PLANNED_F64: [(u32, usize); 3] = [(13, 2), (14, 4), (15, 8)];

#[test]
fn what_the_planner_takes_is_right() {
    for (log, _) in PLANNED_F32 {
        check::<Complex<f32>>(&Transform::new(Algebra::ComplexF32, 1 << log), &hopper(Some(16)));
    }
    for (log, _) in PLANNED_F64 {
        check::<Complex<f64>>(&Transform::new(Algebra::ComplexF64, 1 << log).inverse(), &hopper(Some(16)));
    }
}

#[test]
fn exchanges_through_clusters_have_no_bank_conflicts() {
    let planned = |algebra, log| plan(&Transform::new(algebra, 1usize << log), &hopper(Some(16))).unwrap();
    let of = |algebra, cases: [(u32, usize); 3]| cases.map(|(log, _)| (algebra, log));
    for (algebra, log) in of(Algebra::ComplexF32, PLANNED_F32).into_iter().chain(of(Algebra::ComplexF64, PLANNED_F64)) {
        let recipe = planned(algebra, log);
        let name = format!("{} 2^{log}\n{recipe:#?}", algebra.name());
        let [first, second] = recipe.passes() else { panic!("two passes") };
        let bytes = algebra.element_bytes();
        // Or hardly any: a sixteenth of the sectors that are sent.
        let sectors = (bytes << log) / second.hopper.cluster.unwrap().blocks / 32;
        let conflicts = banks::cluster_conflicts(first, second, bytes);
        assert!(conflicts <= sectors / 16, "{conflicts} beside {sectors}, {name}");
        for pass in [first, second] {
            for e in 0..pass.tile.exchanges.len() {
                assert_eq!(banks::conflicts(pass, e, bytes), 0, "{e}, {name}");
            }
        }
        // What the planner asks of a device beforehand; three such work-groups fit a multiprocessor, or more.
        let cluster = second.hopper.cluster.unwrap();
        let local = cluster.tile_len(second, algebra) * bytes;
        let tile = (bytes << log) / cluster.blocks;
        assert!(tile <= 64 << 10 && local <= tile / 16 * 17, "{local} bytes, {name}");
        assert_eq!(cluster.start, 0);
    }
}

#[test]
fn the_planner_takes_clusters_where_they_win_and_have_work() {
    let planned = |algebra: Algebra, log: u32, batch: usize, device: &DeviceInfo| {
        let recipe = plan(&Transform::new(algebra, 1 << log).batch(batch), device).unwrap();
        (blocks_of(&recipe), recipe.launches().len(), recipe.workspace_len > 0)
    };
    let h200 = DeviceInfo { compute_units: 132, ..hopper(Some(16)) };
    for (algebra, cases, crowd) in [(Algebra::ComplexF32, PLANNED_F32, 5), (Algebra::ComplexF64, PLANNED_F64, 3)] {
        for (log, blocks) in cases {
            let planned = |batch, device: &DeviceInfo| planned(algebra, log, batch, device);
            assert_eq!(planned(1 << 10, &h200), (Some(blocks), 1, false), "2^{log}");
            assert_eq!(planned(1 << 10, &DeviceInfo { max_cluster: None, ..h200.clone() }).0, None);
            assert_eq!(planned(1 << 10, &DeviceInfo { local_bytes: 32 << 10, ..h200.clone() }).0, None);
            // As many side by side as the planner was measured with; none is asked for where half of the registers are.
            let beside = |device: &DeviceInfo| match choose(&Transform::new(algebra, 1 << log).batch(1 << 10), device) {
                Ok(Choice { launches: Launches::Clusters(clusters), .. }) => (clusters.blocks, clusters.side_by_side),
                other => panic!("{other:?}"),
            };
            assert_eq!(beside(&h200), (blocks, Some(crowd)), "2^{log}");
            let small = DeviceInfo { registers: Some(1 << 15), ..h200.clone() };
            assert_eq!(beside(&small), (blocks, None), "2^{log}");
            for max_cluster in [4, 8] {
                let portable = DeviceInfo { max_cluster: Some(max_cluster), ..h200.clone() };
                // Half as many have twice as much each, where that is no more than 64 KiB.
                let most = if algebra == Algebra::ComplexF32 { 2 * max_cluster } else { max_cluster };
                let expected = Some(blocks.min(max_cluster)).filter(|_| blocks <= most);
                assert_eq!(planned(1 << 10, &portable).0, expected, "2^{log}");
            }
        }
        // One alone, or a few, in as many work-groups as there may be.
        for (log, blocks) in [(13, 16), (14, 16), (15, 16)] {
            assert_eq!(planned(algebra, log, 1, &h200), (Some(blocks), 1, false), "2^{log}");
            assert_eq!(planned(algebra, log, 8, &h200).0, Some(blocks), "2^{log}");
            assert_eq!(planned(algebra, log, 9, &h200).0, None, "2^{log}");
            assert_eq!(planned(algebra, log, 1, &DeviceInfo { max_cluster: None, ..h200.clone() }).0, None);
        }
        // Two launches where that costs less than passes through memory.
        for log in 22..=27 {
            let planned = |device: &DeviceInfo| planned(algebra, log, 1, device);
            let blocks = if log == 22 { 8 } else { 16 };
            assert_eq!(planned(&h200), (Some(blocks), 2, true), "2^{log}");
            let portable = planned(&DeviceInfo { max_cluster: Some(8), ..h200.clone() });
            assert_eq!(portable.0, Some(8).filter(|_| log == 22), "2^{log}");
        }
        let is_planned = |log| (22..=27).contains(&log) || cases.iter().any(|case| case.0 == log);
        for log in (1..=28).filter(|&log| !is_planned(log)) {
            assert_eq!(planned(algebra, log, 1 << 8, &h200).0, None, "2^{log}");
        }
    }
    for log in 1..=24 {
        assert_eq!(planned(Algebra::Goldilocks, log, 1 << 8, &h200).0, None, "2^{log}");
        assert_eq!(planned(Algebra::Goldilocks, log, 1, &h200).0.is_some(), (13..=15).contains(&log), "2^{log}");
    }
}
