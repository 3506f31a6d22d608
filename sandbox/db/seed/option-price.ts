const VOLATILITY = 0.135
const RATE = 0.065

/** Cumulative normal distribution (Abramowitz and Stegun 26.2.17, error below 1e-7). */
function cumulate(x: number): number {
	const t = 1 / (1 + 0.2316419 * Math.abs(x))
	const tail =
		0.3989422804 * Math.exp((-x * x) / 2) * t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
	return x >= 0 ? 1 - tail : tail
}

/** The Black-Scholes price at one volatility, in the unit of spot and strike; at expiry the intrinsic value. */
export function priceOption(spot: number, strike: number, years: number, type: 'CE' | 'PE'): number {
	const intrinsic = Math.max(0, type === 'CE' ? spot - strike : strike - spot)
	if (years <= 0) return intrinsic
	const spread = VOLATILITY * Math.sqrt(years)
	const d1 = (Math.log(spot / strike) + (RATE + VOLATILITY ** 2 / 2) * years) / spread
	const d2 = d1 - spread
	const discounted = strike * Math.exp(-RATE * years)
	return type === 'CE' ? spot * cumulate(d1) - discounted * cumulate(d2) : discounted * cumulate(-d2) - spot * cumulate(-d1)
}
