/*
 * The pages to which the e-sign provider and the depository send the client back also begin a signature: they show the request and the
 * button. The links of the portal say so in the address, because a page that is opened to begin must not be headed as a failure.
 */

const BEGIN = 'begin=1'

/** The page where the client signs this request of the broker. */
export const signPath = (reference: string) => `/esign/return?ref=${encodeURIComponent(reference)}&${BEGIN}`

/** The page where the client confirms this pledge request. */
export const confirmPath = (reference: string) => `/dpprocess/pledge/return?ref=${encodeURIComponent(reference)}&${BEGIN}`

/** True when a link of the portal opened this page, so the client does not come back from elsewhere. */
export const isBegun = (request: Request) => new URL(request.url).searchParams.get('begin') === '1'
