//! Stream order (Strahler 1957): 1 at the sources, and one more where two streams of the same order meet.

use super::compass::{Compass, NOWHERE};

/// The order of every sample where `is_stream`, 0 elsewhere.
pub fn strahler(
    is_stream: impl Fn(usize) -> bool,
    order: &[u32],
    directions: &[u8],
    compass: &Compass,
) -> Vec<u8> {
    // The highest order that has come, and twice that if it has come more than once.
    let mut come = vec![0_u8; directions.len()];
    let mut numbers = vec![0_u8; directions.len()];
    for &at in order {
        let at = at as usize;
        if !is_stream(at) {
            continue;
        }
        let number = match come[at] {
            0 => 1,
            once if once & TWICE == 0 => once,
            twice => (twice & !TWICE) + 1,
        };
        numbers[at] = number;
        if directions[at] != NOWHERE {
            let next = &mut come[compass.next(at, directions[at])];
            let highest = *next & !TWICE;
            *next = match number.cmp(&highest) {
                std::cmp::Ordering::Greater => number,
                std::cmp::Ordering::Equal => number | TWICE,
                std::cmp::Ordering::Less => *next,
            };
        }
    }
    numbers
}

/// Marks an order that has come from more than one side. No forest on any lattice reaches this order.
const TWICE: u8 = 128;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lattice;
    use crate::drainage::order::downstream;

    #[test]
    fn two_of_an_order_make_the_next_and_a_smaller_one_changes_nothing() {
        // Three sources in a row of three over a channel to the south: 1 + 1 make 2, a third adds nothing.
        let compass = Compass::new(&Lattice { size: [3, 3], spacing: [1.0, 1.0] });
        let directions = [1, NOWHERE, 3, 0, 2, 4, NOWHERE, NOWHERE, NOWHERE];
        let order = downstream(&directions, &compass);
        let numbers = strahler(|_| true, &order, &directions, &compass);
        assert_eq!(numbers, [1, 1, 1, 1, 2, 1, 1, 2, 1]);
        let west = strahler(|at| at != 2 && at != 3 && at != 5, &order, &directions, &compass);
        assert_eq!((west[4], west[7], west[5]), (1, 1, 0));
    }
}
