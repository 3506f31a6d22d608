/** True when the client can still sign the DDPI. A status that the portal does not know may be a signed one. */
export const isUnsigned = (status: string | null): boolean => ['', 'NOT_SIGNED', 'PENDING'].includes(status ?? '')
