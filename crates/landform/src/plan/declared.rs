//! Stages read no more than they declare, and write a layer alone as they write it with the others.

use super::{Begun, Plan, Step, Wanted, Work};
use crate::stage::{FieldOutput, Reads};
use crate::terrain_view::TerrainView;
use crate::{Ctx, Grid, Inputs, Layer, Meaning, Raster, Recipe, Terrain};

fn plan() -> Plan {
    let samples = |width, height| {
        let values = move |i: usize, j: usize| ((i * 7 + j * 13) % 11) as f32 / 10.0;
        Grid::from_fn(width, height, values)
    };
    let mut inputs = Inputs::default();
    let paint = Raster { samples: samples(13, 9), meaning: Meaning::Brightness(None) };
    inputs.insert("paint", paint);
    inputs.insert("map", Raster { samples: samples(200, 31), meaning: Meaning::Values });
    let text = include_str!("../../tests/everything.toml");
    Recipe::parse(text).unwrap().resolve(&inputs).unwrap()
}

/// As much of a terrain as a stage that changes `target` says that it reads.
fn shown(terrain: &Terrain, reads: Reads, target: &Layer) -> Terrain {
    let extent = *terrain.extent();
    let flat = Grid::filled(extent.width(), extent.height(), 0.0);
    let mut shown = Terrain::new(extent, terrain.sea_level(), flat)
        .with_topology(terrain.topology())
        .with_cover(terrain.cover());
    for (layer, grid) in terrain.layers() {
        let is_ground = *layer == Layer::Height || layer == target;
        if reads == Reads::Layers || reads == Reads::Ground && is_ground {
            shown.insert(layer.clone(), grid.clone());
        }
    }
    if reads != Reads::Nothing {
        shown.add_features(terrain.features().to_vec());
    }
    shown
}

fn bits(samples: &[f32]) -> Vec<u32> {
    samples.iter().map(|sample| sample.to_bits()).collect()
}

/// Each stage of the recipe with every kind of stage, and the terrain before and after it.
fn for_each_step(mut f: impl FnMut(&Plan, usize, &Step, [&Terrain; 2])) {
    let plan = plan();
    let whole = plan.output.whole();
    let mut before = plan.begin(0, &whole).terrain;
    for (index, step) in plan.steps.iter().enumerate() {
        let (done, count, wanted) = (index, index + 1, Wanted::All);
        let begun = Begun { done, count, terrain: before.clone(), seen: None, wanted };
        let after = plan.run_steps(begun, &whole, &Ctx::new(&(), "")).unwrap();
        f(&plan, index, step, [&before, &after]);
        before = after;
    }
}

#[test]
fn a_simulation_reads_no_more_than_it_declares() {
    for_each_step(|_, _, step, [before, _]| {
        let Work::Simulation(simulation, done) = &step.work else { return };
        let before = shown(before, step.access.simulation, &step.layer);
        let again = simulation.run(&before, &Ctx::new(&(), "")).unwrap();
        assert!(again.keep() == done.get().unwrap().keep(), "{}", step.label);
    });
}

#[test]
fn values_are_made_from_no_more_than_is_declared() {
    for_each_step(|plan, index, step, [before, _]| {
        let Some(reads) = step.access.values else { return };
        let (whole, ctx) = (*before.extent(), Ctx::new(&(), ""));
        let field = plan.field(index, before, &ctx).unwrap();
        let none = Grid::filled(whole.width(), whole.height(), 0.0);
        let old = before.layer(&step.layer).unwrap_or(&none).samples();
        let values = |terrain: &Terrain, seen: &[f32]| {
            let mut out = old.to_vec();
            let view = TerrainView::before(terrain, &step.layer, (seen, whole));
            field.evaluate(&whole, &view, FieldOutput::of_values(&mut out), &ctx).unwrap();
            bits(&out)
        };
        let seen = if reads == Reads::Nothing { &[] } else { old };
        let declared = values(&shown(before, reads, &step.layer), seen);
        assert!(declared == values(before, old), "{}", step.label);
    });
}

#[test]
fn a_layer_is_the_same_alone_and_with_all_others() {
    for_each_step(|plan, index, step, [before, after]| {
        let (whole, ctx) = (*before.extent(), Ctx::new(&(), ""));
        let field = plan.field(index, before, &ctx).unwrap();
        let seen = shown(after, step.access.layers_from, &step.layer);
        for layer in &step.access.layers {
            let mut alone = vec![0.0; whole.len()];
            let out = FieldOutput { values: None, layers: vec![(layer, &mut alone)] };
            field.evaluate(&whole, &TerrainView::of(&seen), out, &ctx).unwrap();
            let with_others = after.layer(layer).unwrap().samples();
            assert!(bits(&alone) == bits(with_others), "{layer} of {}", step.label);
        }
    });
}
