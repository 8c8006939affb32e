//! How the values of a stage join what is there already.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How new values join old ones. The weight w is the stage's `amount` times its mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Blend {
    /// old + w·new
    Add,
    /// old·(1 + w·(new − 1))
    Multiply,
    /// The greater of the two, faded in by w.
    Max,
    /// The lesser of the two, faded in by w.
    Min,
    /// New where w is at least ½, old elsewhere: a hard edge.
    Replace,
    /// old + w·(new − old): a fade from old to new.
    Lerp,
}

impl Blend {
    /// Joins one value to another.
    #[inline]
    pub fn join(self, old: f32, new: f32, weight: f32) -> f32 {
        let fade = |to: f32| old + weight * (to - old);
        match self {
            Self::Add => old + weight * new,
            Self::Multiply => old * (1.0 + weight * (new - 1.0)),
            Self::Max => fade(if new > old { new } else { old }),
            Self::Min => fade(if new < old { new } else { old }),
            Self::Replace if weight >= 0.5 => new,
            Self::Replace => old,
            // Exact where the weight is 1, which old + 1·(new − old) is not.
            Self::Lerp if weight == 1.0 => new,
            Self::Lerp => fade(new),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Blend; 6] =
        [Blend::Add, Blend::Multiply, Blend::Max, Blend::Min, Blend::Replace, Blend::Lerp];

    #[test]
    fn weight_zero_leaves_the_old_value() {
        for blend in ALL {
            assert_eq!(blend.join(3.0, 8.0, 0.0), 3.0, "{blend:?}");
        }
    }

    #[test]
    fn weight_one_gives_the_operation_itself() {
        let joined = ALL.map(|blend| blend.join(3.0, 8.0, 1.0));
        assert_eq!(joined, [11.0, 24.0, 8.0, 3.0, 8.0, 8.0]);
        assert_eq!(Blend::Lerp.join(1e8, 0.1, 1.0), 0.1);
    }

    #[test]
    fn half_weight_is_half_way() {
        let joined = ALL.map(|blend| blend.join(4.0, 8.0, 0.5));
        assert_eq!(joined, [8.0, 18.0, 6.0, 4.0, 8.0, 6.0]);
    }
}
