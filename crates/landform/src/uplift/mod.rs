//! The Uplift Model (Rankin 2014, 2015): terrain as the average of tent-shaped uplifts.
//!
//! ```text
//! y(x, z) = (1/N) Σ_p max(0, y_p − (y_p / r_p)·d_p)      d_p distance to peak p (m)
//! ```

pub mod brute_force;
mod cone;
mod contribution;
mod far_field;
mod peak;
pub mod skyline;
mod stage;
pub mod upd;

pub use brute_force::{gradient_at, height_at};
pub use cone::{Cone, Curve};
pub use contribution::{Contribution, contributions};
pub use far_field::{Divisor, EditableUplift, FarField};
pub use peak::Peak;
pub use skyline::{Skyline, SkylinePeak};
pub(crate) use stage::PeakLine;
pub use stage::{Peaks, Uplift};
pub use upd::Upd;
