//! Vectors of three numbers: x to the east, y up, z to the south, in metres.

/// A place or a direction.
pub(super) type Vec3 = [f64; 3];

pub(super) fn add(a: Vec3, b: Vec3) -> Vec3 {
    [0, 1, 2].map(|c| a[c] + b[c])
}

pub(super) fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [0, 1, 2].map(|c| a[c] - b[c])
}

pub(super) fn scale(a: Vec3, factor: f64) -> Vec3 {
    a.map(|c| c * factor)
}

/// `origin` + t·`direction`.
pub(super) fn along(origin: Vec3, direction: Vec3, t: f64) -> Vec3 {
    add(origin, scale(direction, t))
}

pub(super) fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(super) fn length(a: Vec3) -> f64 {
    dot(a, a).sqrt()
}

pub(super) fn unit(a: Vec3) -> Vec3 {
    scale(a, 1.0 / length(a).max(1e-300))
}
