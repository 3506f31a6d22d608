/** Limits of all one-time codes (domain B-07). Times are in milliseconds. */
export const OTP_RULES = {
	digits: 6,
	/** How long a code is valid. */
	codeMs: 600_000,
	/** Wrong tries allowed for one request, counted over all its codes; then the request ends. */
	tries: 5,
	resendAfterMs: 30_000,
	resends: 3,
	/** A request ends after this time, even when codes were sent again. */
	requestMs: 1_800_000,
	/** Wrong tries that one client may make at all requests together within the time, and the pause that follows. */
	mistakes: 10,
	mistakesWithinMs: 3_600_000,
	pauseMs: 900_000,
	/** Codes that may be sent for one client within the time, so that nobody's phone is flooded. */
	sends: 60,
	sendsWithinMs: 3_600_000,
} as const
