//===- SpecialPointsTest.cpp - Kinks, ends, and 0 * infinity --------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what are the partials where a textbook's
// formula fails, where there is a kink, and at the ends of a domain?
//
// Each line is checked for the double and the float spelling.
//
//===----------------------------------------------------------------------===//
#include "Laboratory.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace kdiff;
using namespace kdiff::test;

namespace {

constexpr double Inf = INFINITY;

struct SpecialPoint {
  const char *Function; ///< Stem in libdevice, or an instruction.
  Point At;
  unsigned Operand;
  double Expected;
};

const SpecialPoint Points[] = {
    // Powers, where b * a^(b-1) and a^b * log(a) meet zeros.
    {"pow", {0, 2}, 0, 0},
    {"pow", {0, 1}, 0, 1},
    {"pow", {0, 0}, 0, 0},
    {"pow", {5, 0}, 0, 0},
    {"pow", {0, 0.5}, 0, Inf},
    {"pow", {-2, 3}, 0, 12},
    {"pow", {-2, 2}, 0, -4},
    {"pow", {-2, -1}, 0, -0.25},
    {"pow", {0, 2}, 1, 0},
    {"pow", {0, 0.5}, 1, 0},
    {"pow", {0, 0}, 1, 0},
    {"pow", {1, 7}, 1, 0},
    {"pow", {Inf, -1}, 1, 0},
    {"powi", {0, 0}, 0, 0},
    {"powi", {0, 1}, 0, 1},
    {"powi", {0, 2}, 0, 0},
    {"powi", {-2, 3}, 0, 12},
    {"powi", {2, -2}, 0, -0.25},
    {"powi", {1, -2147483648.0}, 0, -2147483648.0},
    {"sqrt", {0}, 0, Inf},
    {"rsqrt", {Inf}, 0, 0},
    {"cbrt", {0}, 0, Inf},
    {"cbrt", {-8}, 0, 1.0 / 12},
    {"rcbrt", {-8}, 0, -1.0 / 48},
    {"fdiv", {0, 0x1p-149}, 1, 0},
    {"fdiv", {1, Inf}, 0, 0},
    {"fdiv", {1, Inf}, 1, 0},
    // Lengths: the origin is a kink; large and small operands are none.
    {"hypot", {0, 0}, 0, 0},
    {"hypot", {3, -4}, 1, -0.8},
    {"hypot", {1e30, 0}, 0, 1},
    {"norm3d", {0, 0, 0}, 2, 0},
    {"norm4d", {0, 0, 0, -2}, 3, -1},
    {"rhypot", {0x1p-20, 0}, 0, -0x1p40},
    {"atan2", {1e-25, 1e-25}, 0, 5e24},
    {"atan2", {1e25, 1e25}, 1, -5e-26},
    {"atan2", {0, -1}, 0, -1},
    {"asinh", {1e30}, 0, 1e-30},
    {"asinh", {-1e30}, 0, 1e-30},
    {"acosh", {1}, 0, Inf},
    {"acosh", {1e30}, 0, 1e-30},
    {"atanh", {1}, 0, Inf},
    {"asin", {1}, 0, Inf},
    {"asin", {1 - 0x1p-24}, 0, 2896.3094},
    {"acos", {-1}, 0, -Inf},
    {"acos", {0x1p-24 - 1}, 0, -2896.3094},
    {"atan", {-Inf}, 0, 0},
    // Saturating functions and logarithms.
    {"tanh", {0}, 0, 1},
    {"tanh", {40}, 0, 0},
    {"tanh", {-Inf}, 0, 0},
    {"exp", {-Inf}, 0, 0},
    {"exp", {Inf}, 0, Inf},
    {"expm1", {-Inf}, 0, 0},
    {"log", {0}, 0, Inf},
    {"log1p", {-1}, 0, Inf},
    {"log1p", {1e-30}, 0, 1},
    {"erf", {Inf}, 0, 0},
    {"erfc", {-Inf}, 0, 0},
    {"erfcx", {1e10}, 0, -5.6418958354775629e-21},
    {"erfcx", {31}, 0, -5.8617194303697270e-4},
    {"erfcx", {9}, 0, -6.8401344155682593e-3},
    {"normcdf", {-Inf}, 0, 0},
    // Poles and negative arguments of gamma and its logarithm.
    {"lgamma", {1}, 0, -0.57721566490153286},
    {"lgamma", {-0.5}, 0, 0.03648997397857652},
    {"lgamma", {1e10}, 0, 23.025850929890457},
    {"tgamma", {1}, 0, -0.57721566490153286},
    {"tgamma", {-1.5}, 0, 1.6617502606685965},
    // Bessel functions at 0.
    {"j0", {0}, 0, 0},
    {"j1", {0}, 0, 0.5},
    {"j1", {1e-20}, 0, 0.5},
    {"jn", {0, 0}, 1, 0},
    {"jn", {1, 0}, 1, 0.5},
    {"jn", {2, 0}, 1, 0},
    {"cyl_bessel_i0", {0}, 0, 0},
    {"cyl_bessel_i1", {0}, 0, 0.5},
    // Kinks: one side; the weights of both operands add up to one.
    {"fabs", {0}, 0, 1},
    {"fabs", {-0.0}, 0, -1},
    {"fmax", {2, 2}, 0, 0},
    {"fmax", {2, 2}, 1, 1},
    {"fmin", {2, 2}, 0, 0},
    {"fmin", {2, 2}, 1, 1},
    {"fmax", {NAN, 2}, 0, 0},
    {"fmax", {NAN, 2}, 1, 1},
    {"fmax", {2, NAN}, 0, 1},
    {"fmax", {2, NAN}, 1, 0},
    {"fdim", {2, 2}, 0, 0},
    {"fdim", {3, 2}, 1, -1},
    {"copysign", {2, -3}, 0, -1},
    {"copysign", {-2, -3}, 0, 1},
    {"copysign", {2, -3}, 1, 0},
    // Remainders, also where the quotient rounds up to an integer.
    {"fmod", {7.5, -2}, 1, 3},
    {"fmod", {-7.5, 2}, 1, 3},
    {"fmod", {0x1.060332p+6, 0x1.48ccccp+0}, 1, -50}, // 51 in float
    {"frem", {0x1.060332p+6, 0x1.48ccccp+0}, 1, -50},
    {"fmod", {7.5, 2}, 0, 1},
    {"remainder", {7.5, 2}, 1, -4},
    {"remquo", {7.5, 2, 0}, 1, -4},
    {"fmod", {7.5, Inf}, 1, 0},
    {"frexp", {0, 0}, 0, 1},
    {"frexp", {12, 0}, 0, 0.0625},
    {"modf", {-2.75, 0}, 0, 1},
    {"ldexp", {3, -2}, 0, 0.25},
    {"floor", {2.5}, 0, 0},
    {"nextafter", {1, 2}, 0, 1},
};

void PrintTo(const SpecialPoint &P, std::ostream *OS) {
  *OS << P.Function << testing::PrintToString(P.At) << " by operand "
      << P.Operand;
}

class SpecialPoints : public testing::TestWithParam<SpecialPoint> {
protected:
  void check(const std::string &Label, double Relative) {
    const SpecialPoint &P = GetParam();
    Laboratory &Lab = Laboratory::get();
    const Specimen *S = Lab.find(Label);
    ASSERT_TRUE(S) << "no operation " << Label;
    double Actual = Lab.measure(*S, {P.At})[0].Partials[P.Operand];
    std::string Where = Label + testing::PrintToString(P.At) + " by operand " +
                        std::to_string(P.Operand);
    if (std::isinf(P.Expected) || P.Expected == 0)
      EXPECT_EQ(Actual, P.Expected) << Where;
    else
      EXPECT_NEAR(Actual, P.Expected, Relative * std::fabs(P.Expected))
          << Where;
  }
  static std::string spelled(bool Single) {
    std::string Name = GetParam().Function;
    if (Name == "fdiv" || Name == "frem")
      return Name + (Single ? " float" : " double");
    return "__nv_" + Name + (Single ? "f" : "");
  }
};

TEST_P(SpecialPoints, InDouble) { check(spelled(false), 1e-6); }
TEST_P(SpecialPoints, InFloat) { check(spelled(true), 1e-4); }

INSTANTIATE_TEST_SUITE_P(Table, SpecialPoints, testing::ValuesIn(Points));

TEST(ApproximatePower, HasItsPartialAtZero) {
  Laboratory &Lab = Laboratory::get();
  const Specimen *S = Lab.find("__nv_fast_powf");
  ASSERT_TRUE(S);
  EXPECT_EQ(Lab.measure(*S, {{0, 1}})[0].Partials[0], 1);
  EXPECT_EQ(Lab.measure(*S, {{0, 2}})[0].Partials[0], 0);
}

TEST(Remainder, CountsByTheExactQuotient) {
  Laboratory &Lab = Laboratory::get();
  const Specimen *S = Lab.find("frem double");
  ASSERT_TRUE(S);
  ASSERT_EQ(225.4 / 4.9, 46); // The exact quotient is just below.
  EXPECT_EQ(Lab.measure(*S, {{225.4, 4.9}})[0].Partials[1], -45);
}

TEST(Saturate, PassesWithinItsRange) {
  Laboratory &Lab = Laboratory::get();
  const Specimen *S = Lab.find("__nv_saturatef");
  ASSERT_TRUE(S);
  std::vector<Measured> M = Lab.measure(*S, {{-0.5}, {0}, {0.5}, {1}, {1.5}});
  std::vector<double> Partials;
  for (const Measured &At : M)
    Partials.push_back(At.Partials[0]);
  EXPECT_EQ(Partials, (std::vector<double>{0, 1, 1, 1, 0}));
}

} // namespace
