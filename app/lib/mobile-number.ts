/** Returns the digits of an Indian mobile number. Brokers store +91 98765 43210 and 098765 43210 too. */
export const trimMobile = (mobile: string): string => mobile.replace(/\D/g, '').replace(/^(0091|91|0)(?=\d{10}$)/, '')
