//! Functions of real numbers that are the same on every machine: made of additions, multiplications
//! and divisions only. Those of libraries differ in the last bit.
//!
//! ```
//! use spinney_search::real::{exp, ln};
//!
//! assert!((ln(exp(1.5)) - 1.5).abs() < 1e-5);
//! ```

/// The natural logarithm of a positive, normal number.
pub fn ln(number: f32) -> f32 {
    // number = mantissa · 2^exponent, the mantissa between about 0.7 and 1.4.
    let bits = number.to_bits();
    let shifted = bits.wrapping_sub(0x3f35_04f3); // the square root of 1/2
    let exponent = shifted as i32 >> 23;
    let mantissa = f32::from_bits(bits.wrapping_sub((exponent as u32) << 23));
    // ln m = 2 artanh((m - 1) / (m + 1))
    let t = (mantissa - 1.0) / (mantissa + 1.0);
    let square = t * t;
    let series =
        1.0 + square * (1.0 / 3.0 + square * (1.0 / 5.0 + square * (1.0 / 7.0 + square / 9.0)));
    exponent as f32 * std::f32::consts::LN_2 + 2.0 * t * series
}

/// e to the power of a number; of numbers beyond 80, to the power of 80.
pub fn exp(number: f32) -> f32 {
    // e^x = 2^whole · e^rest, the rest at most ln 2 / 2.
    let number = number.clamp(-80.0, 80.0);
    let whole = (number * std::f32::consts::LOG2_E + if number < 0.0 { -0.5 } else { 0.5 }) as i32;
    let rest = number - whole as f32 * std::f32::consts::LN_2;
    let mut series = 1.0;
    for factor in (1..8u8).rev() {
        series = 1.0 + series * rest / f32::from(factor);
    }
    series * f32::from_bits(((whole + 127) as u32) << 23)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_are_right() {
        for step in -400..=400 {
            let number = step as f32 / 10.0;
            let expected = f64::from(number).exp();
            let error = (f64::from(exp(number)) / expected - 1.0).abs();
            assert!(error < 5e-6, "exp {number}: {} {expected}", exp(number));
        }
        assert_eq!(exp(0.0), 1.0);
        assert!(exp(1000.0).is_finite() && exp(-1000.0) > 0.0);
    }

    #[test]
    fn logarithms_undo_exponentials() {
        for step in 1..1000 {
            let number = step as f32 / 100.0;
            assert!((ln(exp(number)) - number).abs() < 1e-5 * number.max(1.0), "{number}");
        }
    }
}
