// The reverse pass against differences of the forward pass, and the Jacobian's rows against the reverse pass.
#include <gtest/gtest.h>

#include <cmath>

#include "pecann/network/pass.h"
#include "pecann/network/test_channels.h"
#include "support/simd_targets.h"

namespace pecann::network {
namespace {

using test::Points;

// L = Σ weight · output over all fields, channels and points, with fixed random weights.
class LinearLoss {
 public:
  LinearLoss(const Network& network, ChannelSet set, std::size_t num_points)
      : network_(network),
        set_(std::move(set)),
        stream_(17, "loss"),
        parameters_(test::random_parameters(network, stream_)),
        points_(network, num_points, stream_),
        packed_(network),
        pass_(network, set_, num_points) {
    weights_.resize(static_cast<std::size_t>(network.shape().outputs * set_.size()) * num_points);
    for (double& weight : weights_) weight = stream_.normal();
  }

  std::vector<double>& parameters() { return parameters_; }
  double weight(int field, int channel, std::size_t t) const {
    return weights_[static_cast<std::size_t>(field * set_.size() + channel) * points_.size + t];
  }

  double value() {
    forward();
    double sum = 0;
    for (int field = 0; field < network_.shape().outputs; ++field)
      for (int c = 0; c < set_.size(); ++c)
        for (std::size_t t = 0; t < points_.size; ++t) sum += weight(field, c, t) * pass_.output(field, c)[t];
    return sum;
  }
  void backward(std::vector<double>& gradient) {
    forward_with_adjoints();
    pass_.backward(packed_, gradient);
  }
  std::vector<double> jacobian(std::size_t stride) {
    forward_with_adjoints();
    std::vector<double> rows(network_.num_parameters() * stride, -5.0);
    pass_.jacobian(packed_, rows.data(), stride);
    return rows;
  }

 private:
  void forward() {
    packed_.pack(parameters_);
    points_.forward(pass_, packed_, 0, points_.size);
  }
  void forward_with_adjoints() {
    forward();
    pass_.clear_adjoints();
    for (int field = 0; field < network_.shape().outputs; ++field)
      for (int c = 0; c < set_.size(); ++c)
        for (std::size_t t = 0; t < points_.size; ++t) pass_.adjoint(field, c)[t] += weight(field, c, t);
  }

  const Network& network_;
  ChannelSet set_;
  RandomStream stream_;
  std::vector<double> parameters_;
  Points points_;
  PackedParameters packed_;
  Pass pass_;
  std::vector<double> weights_;
};

double largest(const std::vector<double>& values) {
  double result = 1;
  for (const double value : values) result = std::max(result, std::abs(value));
  return result;
}

template <class Body>
void for_every_network_and_channel_set(const Body& body) {
  for (const NetworkShape& shape : test::network_shapes()) {
    RandomStream stream(3, "fourier");
    const Network network(shape, stream);
    for (const auto& [name, set] : test::channel_sets(network.inputs())) {
      SCOPED_TRACE(testing::Message() << name << ", " << network.num_parameters() << " parameters");
      body(network, set);
    }
  }
}

TEST(PassGradientTest, BackwardEqualsDifferences) {
  for_every_network_and_channel_set([](const Network& network, const ChannelSet& set) {
    LinearLoss loss(network, set, 16);
    std::vector<double> gradient(network.num_parameters(), 0.0);
    loss.backward(gradient);
    const double tolerance = 1e-8 * largest(gradient);
    const double step = 1e-3;
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      const double at = loss.parameters()[i];
      double slope = 0;
      for (const auto& [offset, factor] : {std::pair{-2, 1}, {-1, -8}, {1, 8}, {2, -1}}) {
        loss.parameters()[i] = at + offset * step;
        slope += factor * loss.value() / (12 * step);
      }
      loss.parameters()[i] = at;
      ASSERT_NEAR(gradient[i], slope, tolerance) << "parameter " << i;
    }
  });
}

TEST(PassGradientTest, RowsOfTheJacobianAddUpToTheGradient) {
  ::pecann::test::for_each_simd_target([] {
    for_every_network_and_channel_set([](const Network& network, const ChannelSet& set) {
      for (const std::size_t num_points : {8, 24, 40}) {
        LinearLoss loss(network, set, num_points);
        std::vector<double> gradient(network.num_parameters(), 0.0);
        loss.backward(gradient);
        const std::size_t stride = num_points + 8;
        const std::vector<double> rows = loss.jacobian(stride);
        for (std::size_t i = 0; i < gradient.size(); ++i) {
          double sum = 0;
          for (std::size_t t = 0; t < num_points; ++t) sum += rows[i * stride + t];
          ASSERT_NEAR(sum, gradient[i], 1e-12 * largest(gradient)) << "parameter " << i;
          for (std::size_t t = num_points; t < stride; ++t) ASSERT_EQ(rows[i * stride + t], -5.0);
        }
      }
    });
  });
}

TEST(PassGradientTest, AJacobianRowIsTheGradientOfItsPointAlone) {
  RandomStream stream(3, "fourier");
  const Network network({.lower = {0, 0}, .upper = {1, 2}, .hidden = {9, 6}}, stream);
  const ChannelSet set = test::laplacian_channels();
  const Points points(network, 16, stream);
  PackedParameters packed(network);
  packed.pack(test::random_parameters(network, stream));
  Pass pass(network, set, 16);
  std::vector<double> rows(network.num_parameters() * 16);
  points.forward(pass, packed, 0, 16);
  for (int c = 0; c < set.size(); ++c) std::fill_n(pass.adjoint(0, c), 16, 1.0 + c);
  pass.jacobian(packed, rows.data(), 16);
  for (std::size_t t = 0; t < 16; ++t) {
    points.forward(pass, packed, 0, 16);
    pass.clear_adjoints();
    for (int c = 0; c < set.size(); ++c) pass.adjoint(0, c)[t] = 1.0 + c;
    std::vector<double> gradient(network.num_parameters(), 0.0);
    pass.backward(packed, gradient);
    for (std::size_t i = 0; i < gradient.size(); ++i)
      ASSERT_NEAR(rows[i * 16 + t], gradient[i], 1e-13 * largest(gradient));
  }
}

TEST(PassGradientTest, BackwardAddsToTheGradient) {
  RandomStream stream(3, "fourier");
  const Network network({.lower = {0}, .upper = {1}, .hidden = {5}}, stream);
  LinearLoss loss(network, ChannelSet{}, 8);
  std::vector<double> once(network.num_parameters(), 0.0), twice(network.num_parameters(), 0.0);
  loss.backward(once);
  loss.backward(twice);
  loss.backward(twice);
  for (std::size_t i = 0; i < once.size(); ++i) EXPECT_NEAR(twice[i], 2 * once[i], 1e-14 * largest(once));
}

}  // namespace
}  // namespace pecann::network
