//! Terrains side by side: on one scale, and by the same numbers.
//!
//! Slopes, drainage and spectra depend on the distance between samples, and a picture of a small ground shows finer things
//! than one of a large ground. So terrains are compared at the spacing of the coarsest, over ground of one size: the middle of
//! each. Recipes are evaluated at that spacing, heightmaps are averaged to it.

use landform::analysis::statistics::Statistics;
use landform::drainage::statistics::Drainage;
use landform::{Extent, Lattice, Plan, Terrain};
use serde::Serialize;

use crate::{Error, Project, Result};

/// Fewer samples along a side tell nothing of a landscape.
const LEAST_SAMPLES: u32 = 33;

/// The numbers by which terrains are compared.
#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    /// What the terrain is called.
    pub name: String,
    /// Number of columns and rows that were measured.
    pub size: [u32; 2],
    /// Metres between samples to the east and to the south.
    pub spacing: [f64; 2],
    /// Numbers about the heights.
    pub statistics: Statistics,
    /// Numbers about where water runs.
    pub drainage: Drainage,
}

impl Measured {
    /// Measures a terrain.
    pub fn of(name: &str, terrain: &Terrain) -> Self {
        let extent = terrain.extent();
        Self {
            name: name.to_owned(),
            size: [extent.width() as u32, extent.height() as u32],
            spacing: extent.lattice().spacing,
            statistics: Statistics::of(terrain),
            drainage: Drainage::of(terrain),
        }
    }
}

/// The scale on which several terrains are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CommonScale {
    /// Metres between samples along both axes.
    pub spacing: f64,
    /// Width and depth of the ground in metres.
    pub ground: [f64; 2],
}

impl CommonScale {
    /// The spacing of the coarsest of several terrains, and the largest ground that lies on all of them.
    ///
    /// # Errors
    /// If so little is common to them that there is nothing to compare.
    pub fn of<'a>(projects: impl IntoIterator<Item = &'a Project>) -> Result<Self> {
        let mut scale = Self { spacing: 0.0, ground: [f64::INFINITY; 2] };
        for project in projects {
            let Lattice { spacing: [dx, dz], .. } = project.recipe().output();
            scale.spacing = scale.spacing.max(dx).max(dz);
            let ground = project.recipe().output().ground();
            scale.ground = [0, 1].map(|axis| scale.ground[axis].min(ground[axis]));
        }
        let [width, height] = scale.size();
        if width.min(height) < LEAST_SAMPLES {
            let Self { spacing, ground: [x, z] } = scale;
            return Err(Error::Other(format!(
                "on one scale only {width}x{height} samples can be compared: the coarsest terrain has {spacing} m between samples, \
                 the smallest ground is {x:.0} x {z:.0} m; at least {LEAST_SAMPLES} samples are needed along each side"
            )));
        }
        Ok(scale)
    }

    /// Number of samples along the sides of the common ground.
    fn size(&self) -> [u32; 2] {
        self.ground.map(|length| (length / self.spacing) as u32 + 1)
    }

    /// The same ground with samples at this spacing.
    ///
    /// # Errors
    /// If the recipe cannot have that size.
    pub fn applied_to(&self, project: Project) -> Result<Project> {
        let ground = project.recipe().output().ground();
        let size = ground.map(|length| (length / self.spacing).round() as u32 + 1);
        if size == project.recipe().output().size {
            return Ok(project);
        }
        project.with_resolution(size)
    }

    /// The middle of a ground that has samples at this spacing.
    pub fn window(&self, plan: &Plan) -> Extent {
        let lattice = plan.lattice();
        let size = self.size();
        let [(i, width), (j, height)] = [0, 1].map(|axis| {
            let count = size[axis].min(lattice.size[axis]);
            ((lattice.size[axis] - count) / 2, count)
        });
        lattice.window(i, j, width, height).expect("the middle of a lattice lies on it")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Changes, Opening};

    fn opened(text: &str) -> Project {
        let (changes, text) = (Changes::default(), format!("version = 1\n{text}"));
        let opening = Opening { changes: &changes, ..Opening::default() };
        Project::of_text(text, None, &opening).unwrap()
    }

    #[test]
    fn terrains_are_compared_at_the_coarsest_spacing_over_the_smallest_ground() {
        let fine = opened("size = [101, 81]\nspacing = [10, 10]");
        let coarse = opened("size = [101, 101]\nspacing = [20, 25]");
        let scale = CommonScale::of([&fine, &coarse]).unwrap();
        assert_eq!((scale.spacing, scale.ground), (25.0, [1000.0, 800.0]));
        for project in [fine, coarse] {
            let project = scale.applied_to(project).unwrap();
            let plan = project.plan().unwrap();
            let window = scale.window(&plan);
            assert_eq!([window.width(), window.height()], [41, 33]);
            assert!(plan.lattice().spacing.iter().all(|spacing| (spacing - 25.0).abs() < 1e-9));
        }
    }

    #[test]
    fn grounds_with_too_little_in_common_are_refused() {
        let small = opened("size = [101, 81]\nspacing = [1, 1]");
        let large = opened("size = [101, 81]\nspacing = [1000, 1000]");
        let error = CommonScale::of([&small, &large]).unwrap_err().to_string();
        assert!(error.contains("1x1 samples") && error.contains("1000 m"), "{error}");
    }
}
