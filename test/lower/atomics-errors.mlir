// RUN: sparse-opt %s --lower-sit -verify-diagnostics
// No instruction exchanges two numbers at once.
func.func @product_c128(%x: tensor<?xcomplex<f64>>) -> tensor<1xcomplex<f64>> {
  %y = sit.kernel (%x) {
  ^bb0(%X: tensor<?xcomplex<f64>>, %Y: tensor<1xcomplex<f64>>):
    %n = sit.extent %X[0] : tensor<?xcomplex<f64>>
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    sit.result %Y[%one] : tensor<1xcomplex<f64>>
    sit.coiterate over %n on cpu_thread atomics {
    case () as (%i) {
      %p = sit.locate %X level 0 at %i : tensor<?xcomplex<f64>>
      %v = sit.value %X at %p : tensor<?xcomplex<f64>> -> complex<f64>
      %o = sit.insert %Y level 0 at %zero : tensor<1xcomplex<f64>>
      // expected-error @below {{expected the sum of complex numbers where threads accumulate into 'result' at once, found mul}}
      sit.accumulate mul %v to %Y at %o atomic : complex<f64>, tensor<1xcomplex<f64>>
    }}
    sit.finish %Y : tensor<1xcomplex<f64>>
  } : (tensor<?xcomplex<f64>>) -> tensor<1xcomplex<f64>>
  return %y : tensor<1xcomplex<f64>>
}
