//! Why the ground at a place is as high as it is: what each stage adds to it, and the strongest peaks of those that have peaks.

use landform::recipe::Entry;
use landform::stage::Stage;
use landform::uplift::{Cone, Curve, Peak, contributions};
use landform::{Extent, Inputs, Lattice, Layer, Plan, Recipe, Scale, Seed, Terrain, Watch};
use serde::Serialize;

use crate::{Error, Project, Result, Wish};

/// How many of the peaks of a stage are listed.
const STRONGEST: usize = 8;

/// Why the ground at a place is as high as it is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The place: metres from the north-west corner to the east and to the south.
    pub at: [f64; 2],
    /// The height there in metres, between the samples around it by both their distances.
    pub height: f64,
    /// Height of the water table in metres.
    pub sea_level: f64,
    /// The stages that take part, in their order. What they add gives the height.
    pub stages: Vec<StageShare>,
}

/// What a stage adds to the height at a place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StageShare {
    /// The label of the stage.
    pub label: String,
    /// Its kind.
    pub kind: &'static str,
    /// Metres by which it changes the height.
    pub adds: f64,
    /// The height after it, in metres.
    pub height: f64,
    /// The layer that it changes, if that is not the height.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
    /// Its peaks, if it has some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peaks: Option<PeakShares>,
}

/// What the peaks of a stage add at a place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PeakShares {
    /// How many there are.
    pub count: usize,
    /// How many of them reach the place.
    pub reaching: usize,
    /// What their sum is divided by.
    pub divisor: f64,
    /// The average of all in metres: what the stage adds, but for its amount, mask and blend.
    pub average: f64,
    /// Those that make most of it, the strongest first.
    pub strongest: Vec<PeakShare>,
}

/// A peak, and what it adds at a place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PeakShare {
    /// Its place in the list of the stage, counted from 0.
    pub index: usize,
    /// Its grid line to the east.
    pub i: i64,
    /// Its grid line to the south.
    pub j: i64,
    /// Its height in metres.
    pub height: f64,
    /// Its radius in metres.
    pub radius: f64,
    /// Metres of the average.
    pub adds: f64,
}

/// Explains the height of a project at a place, in metres from its north-west corner. Of a folder that was built, it is that of the
/// recipe which made it, where that needs no files. Only the samples around the place are evaluated, and what simulates the
/// whole ground.
///
/// # Errors
/// If the place lies off the ground, the recipe does not resolve, and by cancellation.
pub fn explain(project: &Project, at: [f64; 2], watch: &dyn Watch) -> Result<Explanation> {
    let made_by = project.made_by();
    let built = made_by.files().is_empty().then(|| made_by.resolve(&Inputs::default()).ok());
    match built.flatten() {
        Some(plan) => explain_plan(made_by, &plan, at, watch),
        None => explain_plan(project.recipe(), &project.plan()?, at, watch),
    }
}

fn explain_plan(
    recipe: &Recipe,
    plan: &Plan,
    at: [f64; 2],
    watch: &dyn Watch,
) -> Result<Explanation> {
    let lattice = plan.lattice();
    let ground = lattice.ground();
    if !(0..2).all(|axis| (0.0..=ground[axis]).contains(&at[axis])) {
        let [width, depth] = ground;
        let message = format!("lies off the ground, which goes from 0,0 to {width},{depth} m");
        return Err(Error::wish(Wish::At(format!("{},{}", at[0], at[1])), message));
    }
    let cell = Cell::around(lattice, at);
    let mut heights = Vec::new();
    // What is seen between stages is as large as the numbers of the recipe say.
    let factor = plan.scale().length();
    let scaled = |sample: f32| f64::from((f64::from(sample) * factor) as f32);
    let mut seen =
        |_: usize, _: &str, terrain: &Terrain| heights.push(cell.height(terrain, scaled));
    let terrain = plan.run_and_look(&cell.extent, watch, &mut seen)?;
    let enabled = recipe.stages.iter().filter(|entry| entry.joint.enabled);
    let mut before = 0.0;
    let mut stages = Vec::new();
    for (entry, height) in enabled.zip(heights) {
        stages.push(StageShare {
            label: entry.label().to_owned(),
            kind: entry.stage.kind(),
            adds: height - before,
            height,
            layer: Some(&entry.joint.layer).filter(|name| **name != Layer::Height.name()).cloned(),
            peaks: peak_shares(recipe, plan.scale(), entry, at)?,
        });
        before = height;
    }
    let (height, sea_level) = (cell.height(&terrain, f64::from), terrain.sea_level());
    Ok(Explanation { at, height, sea_level, stages })
}

/// The samples around a place.
struct Cell {
    extent: Extent,
    /// How far between them the place lies, 0 to 1.
    share: [f64; 2],
}

impl Cell {
    fn around(lattice: &Lattice, at: [f64; 2]) -> Self {
        let along = |axis: usize| {
            let (count, line) = (lattice.size[axis], at[axis] / lattice.spacing[axis]);
            let first = (line.floor() as u32).min(count.saturating_sub(2));
            (first, count.min(2), (line - f64::from(first)).clamp(0.0, 1.0))
        };
        let ((i, width, right), (j, height, down)) = (along(0), along(1));
        let extent = lattice.window(i, j, width, height).expect("the place lies on the ground");
        Self { extent, share: [right, down] }
    }

    /// The height of a terrain that has these samples, perhaps among others, each in `metres`.
    fn height(&self, terrain: &Terrain, metres: impl Fn(f32) -> f64) -> f64 {
        let (i, j) = terrain.extent().offset_of(&self.extent);
        let (right, down) = (self.extent.width() - 1, self.extent.height() - 1);
        let at = |di: usize, dj: usize| metres(terrain.height()[(i + di, j + dj)]);
        let between = |a: f64, b: f64, share: f64| a + (b - a) * share;
        let north = between(at(0, 0), at(right, 0), self.share[0]);
        let south = between(at(0, down), at(right, down), self.share[0]);
        between(north, south, self.share[1])
    }
}

/// What the peaks of a stage add, if it has some.
fn peak_shares(
    recipe: &Recipe,
    scale: &Scale,
    entry: &Entry,
    at: [f64; 2],
) -> Result<Option<PeakShares>> {
    let design = recipe.design();
    let (peaks, curve, divisor): (Vec<Peak>, Curve, Option<f64>) = match &entry.stage {
        Stage::Uplift(uplift) => {
            let seed = Seed::new(recipe.seed).child(entry.label());
            (uplift.generate(seed, &design)?, uplift.curve, uplift.divisor)
        }
        Stage::Peaks(peaks) => (peaks.list()?, peaks.curve, peaks.divisor),
        _ => return Ok(None),
    };
    let divisor = divisor.unwrap_or_else(|| peaks.len().max(1) as f64);
    let cones = peaks.iter().map(|peak| peak.cone(&design).scaled(scale));
    let parts = contributions(cones, curve, divisor, at);
    let strongest = parts.iter().take(STRONGEST).map(|part| {
        let Peak { i, j, .. } = peaks[part.index];
        let Cone { height, radius, .. } = peaks[part.index].cone(&design).scaled(scale);
        PeakShare { index: part.index, i, j, height, radius, adds: part.adds }
    });
    Ok(Some(PeakShares {
        count: peaks.len(),
        reaching: parts.len(),
        divisor,
        average: parts.iter().map(|part| part.adds).sum(),
        strongest: strongest.collect(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DiskFolder, Opening, make};

    const TEXT: &str = "version = 1\nseed = 5\nsize = [33, 17]\nspacing = [10.0, 20.0]\n\n\
        [[stage]]\nkind = \"peaks\"\npeaks = [[10, 8, 900, 200], [12, 8, 600, 90], [40, 0, 500, 60]]\n\n\
        [[stage]]\nkind = \"noise\"\namplitude = 30\nwavelength = 100\namount = 0.5\n\n\
        [[stage]]\nkind = \"hydraulic\"\nsteps = 5\nlevels = 1\n\n\
        [[stage]]\nkind = \"smooth\"\n\n\
        [[stage]]\nkind = \"noise\"\nlabel = \"moss\"\nlayer = \"moss\"\n";

    fn project(text: &str) -> Project {
        Project::of_text(text.to_owned(), None, &Opening::default()).unwrap()
    }

    #[test]
    fn what_the_stages_add_gives_the_height_that_is_built() {
        let project = project(TEXT);
        let terrain = project.terrain(&project.plan().unwrap(), &()).unwrap();
        for (i, j) in [(0, 0), (11, 8), (32, 16), (20, 3)] {
            let at = [10.0 * i as f64, 20.0 * j as f64];
            let why = explain(&project, at, &()).unwrap();
            assert_eq!(why.height, f64::from(terrain.height()[(i, j)]));
            let sum: f64 = why.stages.iter().map(|stage| stage.adds).sum();
            assert!((sum - why.height).abs() < 1e-9);
            let kinds: Vec<_> = why.stages.iter().map(|stage| stage.kind).collect();
            assert_eq!(kinds, ["peaks", "noise", "hydraulic", "smooth", "noise"]);
            assert_eq!((why.stages[4].adds, why.stages[4].layer.as_deref()), (0.0, Some("moss")));
        }
        let between = explain(&project, [115.0, 160.0], &()).unwrap().height;
        let sides = [11, 12].map(|i| f64::from(terrain.height()[(i, 8)]));
        assert!((between - 0.5 * (sides[0] + sides[1])).abs() < 1e-6);
    }

    #[test]
    fn ground_of_another_extent_is_explained_in_its_own_metres() {
        // Twice as large: a text without the hydraulic stage, which knows sizes.
        let (start, rest) = TEXT.split_once("[[stage]]\nkind = \"hydraulic\"").unwrap();
        let (_, end) = rest.split_once("\n\n").unwrap();
        let text = format!("{start}{end}");
        let large = project(&text.replace("size =", "extent = [640, 640]\nsize ="));
        let terrain = large.terrain(&large.plan().unwrap(), &()).unwrap();
        let (own, why) = (
            explain(&project(&text), [120.0, 160.0], &()).unwrap(),
            explain(&large, [240.0, 320.0], &()).unwrap(),
        );
        assert_eq!(why.height, f64::from(terrain.height()[(12, 8)]));
        assert!((why.stages.iter().map(|stage| stage.adds).sum::<f64>() - why.height).abs() < 1e-9);
        for (large, own) in why.stages.iter().zip(&own.stages) {
            assert!((large.adds - 2.0 * own.adds).abs() < 1e-3, "{large:?} {own:?}");
        }
        let [large, own] = [&why, &own].map(|why| why.stages[0].peaks.as_ref().unwrap());
        assert_eq!((large.reaching, large.divisor), (own.reaching, own.divisor));
        assert!((large.average - 2.0 * own.average).abs() < 1e-9);
        let [large, own] = [large, own].map(|peaks| &peaks.strongest[0]);
        assert_eq!((large.i, large.height, large.radius), (own.i, 1800.0, 400.0));
        assert!(explain(&project(&text), [240.0, 321.0], &()).is_err());
    }

    #[test]
    fn the_strongest_peaks_are_told_with_what_each_adds() {
        let why = explain(&project(TEXT), [120.0, 160.0], &()).unwrap();
        let peaks = why.stages[0].peaks.as_ref().unwrap();
        assert_eq!((peaks.count, peaks.reaching, peaks.divisor), (3, 2, 3.0));
        let told: Vec<(usize, f64)> =
            peaks.strongest.iter().map(|peak| (peak.index, peak.adds.round())).collect();
        assert_eq!(told, [(0, 270.0), (1, 200.0)]);
        assert!((peaks.average - why.stages[0].adds).abs() < 1e-3);
    }

    #[test]
    fn a_place_off_the_ground_is_refused() {
        for at in [[-1.0, 0.0], [0.0, 320.1], [f64::NAN, 0.0], [321.0, 5.0]] {
            let error = explain(&project(TEXT), at, &()).unwrap_err().to_string();
            assert!(
                error.contains("lies off the ground, which goes from 0,0 to 320,320 m"),
                "{error}"
            );
        }
    }

    #[test]
    fn a_folder_that_was_built_is_explained_by_its_recipe() {
        let project = project(TEXT);
        let terrain = project.terrain(&project.plan().unwrap(), &()).unwrap();
        let folder = tempfile::TempDir::new().unwrap();
        let mut files = DiskFolder::new(folder.path());
        make::bundle(&terrain, &project.origin(), None, &mut files, &()).unwrap();
        let open = || Project::open(Some(folder.path()), &Opening::default()).unwrap();
        let why = explain(&open(), [50.0, 50.0], &()).unwrap();
        assert_eq!(why, explain(&project, [50.0, 50.0], &()).unwrap());
        // A newer program made it: the samples are there, the recipe cannot be read.
        let newer = TEXT.replace("version = 1", "version = 2");
        std::fs::write(folder.path().join("recipe.toml"), newer).unwrap();
        let built = open();
        let told = built.warnings()[0].to_string();
        assert!(told.contains("version is 2, but this program reads recipes up to"), "{told}");
        assert_eq!(explain(&built, [50.0, 50.0], &()).unwrap().stages[0].kind, "heightmap");
    }
}
