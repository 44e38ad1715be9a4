//! The arithmetic of BOOST rules: the multiplier of an entry, and the product of several.

use domain::limits::MULTIPLIER_MAX;
use domain::rule::Modifier;

/// The multiplier of a `value` entry for a product with that `value`: `factor` × `modifier`(value), never below 0.
///
/// A missing value is replaced by `missing`; without either the multiplier is 1.
pub fn entry_of_value(
    factor: f64,
    modifier: Modifier,
    missing: Option<f64>,
    value: Option<f64>,
) -> f64 {
    let Some(value) = value.or(missing) else {
        return 1.0;
    };
    let modified = match modifier {
        Modifier::None => value,
        Modifier::Log1p => (1.0 + value.max(0.0)).log10(),
        Modifier::Ln1p => value.max(0.0).ln_1p(),
        Modifier::Sqrt => value.max(0.0).sqrt(),
    };
    // Adding 0 turns -0 into 0.
    (factor * modified).clamp(0.0, f64::MAX) + 0.0
}

/// The product of `multipliers`, between 0 and 1,000,000.
pub fn product(multipliers: impl IntoIterator<Item = f64>) -> f64 {
    of_rule(multipliers).min(MULTIPLIER_MAX)
}

/// The multiplier of a rule with these entries: their product, capped at the largest finite number, so that 0 times any
/// factor stays 0.
pub fn of_rule(multipliers: impl IntoIterator<Item = f64>) -> f64 {
    let multipliers = multipliers.into_iter();
    multipliers.fold(1.0, |product, one| (product * one).min(f64::MAX))
}

/// The effective multipliers of several rules: the last one is reduced where the limit is exceeded, so that their product
/// is [`product`].
pub fn used(multipliers: &[f64]) -> Vec<f64> {
    let mut used = multipliers.to_vec();
    let wanted = product(multipliers.iter().copied());
    if let Some((last, others)) = used.split_last_mut() {
        let before = of_rule(others.iter().copied());
        if before * *last > MULTIPLIER_MAX {
            *last = wanted / before;
        }
    }
    used
}

#[cfg(test)]
mod tests {
    //! 1. Each modifier follows its definition, and no multiplier is below 0. 2. The effective multipliers multiply to
    //!    the product.

    use super::*;
    use Modifier::{Ln1p, Log1p, None as Plain, Sqrt};
    use proptest::collection::vec;
    use proptest::prelude::*;

    #[test]
    fn every_modifier_follows_its_definition() {
        for (factor, modifier, missing, value, expected) in [
            (2.0, Plain, None, Some(3.0), 6.0),
            (2.0, Plain, None, Some(-3.0), 0.0),
            (2.0, Log1p, None, Some(99.0), 4.0),
            (1.0, Log1p, None, Some(-5.0), 0.0),
            (1.0, Ln1p, None, Some(std::f64::consts::E - 1.0), 1.0),
            (0.5, Sqrt, None, Some(16.0), 2.0),
            (1.0, Sqrt, None, Some(-4.0), 0.0),
            (5.0, Plain, None, None, 1.0),
            (5.0, Plain, Some(2.0), None, 10.0),
            (5.0, Sqrt, Some(9.0), None, 15.0),
            (0.0, Plain, None, Some(7.0), 0.0),
        ] {
            let multiplier = entry_of_value(factor, modifier, missing, value);
            assert!(
                (multiplier - expected).abs() < 1e-12,
                "{factor} {modifier:?} {missing:?} {value:?}: {multiplier}"
            );
        }
    }

    proptest! {
        #[test]
        fn effective_multipliers_multiply_to_the_product(
            multipliers in vec(prop_oneof![Just(0.0), 0.1f64..100.0, Just(1e6), Just(f64::MAX)], 0..6)
        ) {
            let total = product(multipliers.iter().copied());
            prop_assert!((0.0..=MULTIPLIER_MAX).contains(&total));
            let shown: f64 = used(&multipliers).iter().product();
            prop_assert!(shown.is_nan() || shown.is_infinite() || (shown - total).abs() <= total * 1e-9);
        }
    }
}
