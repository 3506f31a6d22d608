/** The services of the broker. Each may have its own address. */
export type Service = 'broker' | 'ekyc' | 'edis' | 'ipo' | 'payment'
