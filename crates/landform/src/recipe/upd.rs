//! Uplift terrains as recipes, and recipes that are peaks only as [UPD](crate::uplift::upd).

use super::{Entry, Recipe, VERSION};
use crate::blend::Blend;
use crate::error::Error;
use crate::stage::Stage;
use crate::uplift::upd::Upd;
use crate::uplift::{Curve, Peak, Peaks};
use crate::{GroundCover, Layer, Seed, Topology};

impl Upd {
    /// The recipe that says the same.
    pub fn to_recipe(&self) -> Recipe {
        let peaks = self.peaks.iter().map(|&peak| peak.into()).collect();
        Recipe {
            topology: Topology::Plane,
            ground: GroundCover::Green,
            version: VERSION,
            title: String::new(),
            about: String::new(),
            seed: 0,
            size: self.lattice.size,
            spacing: self.lattice.spacing,
            resolution: None,
            preview: None,
            extent: None,
            output_range: None,
            sea_level: 0.0,
            stages: vec![Entry::new(Stage::Peaks(Peaks { peaks, ..Peaks::default() }))],
        }
    }

    /// The UPD that says the same as `recipe`, if it is peaks only.
    ///
    /// # Errors
    /// What the recipe has that UPD cannot say.
    pub fn from_recipe(recipe: &Recipe) -> Result<Self, Error> {
        let cannot =
            |what: &str| Error::new(format!("UPD holds peaks only, but the recipe has {what}"));
        let enabled: Vec<&Entry> =
            recipe.stages.iter().filter(|entry| entry.joint.enabled).collect();
        let [entry] = enabled[..] else {
            return Err(cannot(&format!("{} stages", enabled.len())));
        };
        let joint = &entry.joint;
        let is_plain = joint.mask.is_none()
            && joint.amount == 1.0
            && joint.layer == Layer::Height.name()
            && matches!(joint.blend, None | Some(Blend::Add | Blend::Lerp));
        if !is_plain {
            return Err(cannot("a mask, an amount, a layer or a blend"));
        }
        let lattice = recipe.design();
        let (peaks, curve, divisor) = match &entry.stage {
            Stage::Uplift(uplift) => {
                let seed = Seed::new(recipe.seed).child(entry.label());
                (uplift.generate(seed, &lattice)?, uplift.curve, uplift.divisor)
            }
            Stage::Peaks(peaks) => (peaks.list()?, peaks.curve, peaks.divisor),
            other => return Err(cannot(&format!("a stage `{}`", other.kind()))),
        };
        if curve != Curve::Tent {
            return Err(cannot("another curve than the tent"));
        }
        if divisor.is_some_and(|divisor| divisor != peaks.len() as f64) {
            return Err(cannot("a divisor that is not the number of peaks"));
        }
        if recipe.sea_level != 0.0 {
            return Err(cannot("a sea level"));
        }
        // A file of peaks has no other size than that of its ground.
        let scale = recipe.scale()?;
        let natural = |peak: Peak| Peak {
            height: peak.height * scale.length(),
            radius: peak.radius * scale.length(),
            ..peak
        };
        let peaks = peaks.into_iter().map(natural).collect();
        Ok(Self { lattice: scale.lattice(&lattice), peaks })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_upd_and_its_recipe_say_the_same() {
        let upd = Upd::parse("10 20\n1.5 2\n2\n-3 4 586.6 29.3\n1 2 3e2 0.25\n").unwrap();
        assert_eq!(Upd::from_recipe(&upd.to_recipe()).unwrap(), upd);
    }

    #[test]
    fn a_hundred_generated_peaks_are_under_two_kilobytes() {
        for seed in 0..50 {
            let recipe = format!(
                "version = 1\nseed = {seed}\nsize = [1000, 1000]\nspacing = [10, 10]\n[[stage]]\nkind = \"uplift\"\n"
            );
            let recipe = Recipe::parse(&recipe).unwrap();
            let upd = Upd::from_recipe(&recipe).unwrap();
            let text = upd.to_text();
            assert_eq!(upd.peaks.len(), 100);
            assert!(text.len() < 2048, "{} bytes", text.len());
            assert_eq!(Upd::parse(&text).unwrap(), upd);
        }
    }

    #[test]
    fn what_upd_cannot_say_is_refused() {
        let recipe = |rest: &str| {
            let start = "version = 1\nsize = [9, 9]\nspacing = [1, 1]\n";
            Upd::from_recipe(&Recipe::parse(&format!("{start}{rest}")).unwrap())
        };
        let says = |rest: &str| recipe(rest).unwrap_err().to_string();
        assert!(says("").contains("0 stages"));
        assert!(says("[[stage]]\nkind = \"plane\"\n").contains("a stage `plane`"));
        assert!(says("sea_level = 4\n[[stage]]\nkind = \"uplift\"\n").contains("a sea level"));
        assert!(says("[[stage]]\nkind = \"uplift\"\ndivisor = 3\n").contains("a divisor"));
        assert!(recipe("[[stage]]\nkind = \"uplift\"\n").is_ok());
    }
}
