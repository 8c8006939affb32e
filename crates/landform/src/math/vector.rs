//! Points and directions in space: three numbers.

/// A point or a direction. Where it lies on a terrain, x is to the east, y up and z to the south, in metres.
pub type Vec3 = [f64; 3];

/// a + b.
#[inline]
pub fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// a − b.
#[inline]
pub fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// k·a.
#[inline]
pub fn scale(a: Vec3, k: f64) -> Vec3 {
    [a[0] * k, a[1] * k, a[2] * k]
}

/// origin + t·direction.
#[inline]
pub fn along(origin: Vec3, direction: Vec3, t: f64) -> Vec3 {
    add(origin, scale(direction, t))
}

/// The scalar product.
#[inline]
pub fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The vector product.
#[inline]
pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// |a|.
#[inline]
pub fn length(a: Vec3) -> f64 {
    dot(a, a).sqrt()
}

/// |a − b|.
#[inline]
pub fn distance(a: Vec3, b: Vec3) -> f64 {
    length(sub(a, b))
}

/// The vector of length 1 in the same direction; zeros stay zeros.
#[inline]
pub fn unit(a: Vec3) -> Vec3 {
    let length = length(a);
    if length > 0.0 { scale(a, 1.0 / length) } else { a }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_product_is_upright_on_both() {
        let (a, b) = ([1.0, 2.0, 3.0], [-2.0, 0.5, 4.0]);
        let c = cross(a, b);
        assert_eq!([dot(a, c), dot(b, c)], [0.0, 0.0]);
        assert_eq!(cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn a_unit_vector_has_length_one_and_zeros_stay_zeros() {
        assert_eq!(unit([3.0, 0.0, -4.0]), [0.6000000000000001, 0.0, -0.8]);
        assert_eq!(unit([0.0; 3]), [0.0; 3]);
        assert_eq!(distance(along([1.0, 1.0, 1.0], [0.0, 2.0, 0.0], 3.0), [1.0; 3]), 6.0);
    }
}
