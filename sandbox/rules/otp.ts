/** How one-time codes behave everywhere (domain B-07). Times in milliseconds. */
export const OTP_RULES = {
	digits: 6,
	/** Wrong tries at one request, resent codes included; then it is over. */
	tries: 5,
	resendAfterMs: 30_000,
	resends: 3,
	/** However often codes are sent again, a request is over by then. */
	requestMs: 1_800_000,
	/** Wrong tries of one client at all requests together, and the pause that follows. */
	mistakes: 10,
	mistakesWithinMs: 3_600_000,
	pauseMs: 900_000,
	/** Codes sent for one client, so that nobody's telephone is flooded. */
	sends: 60,
	sendsWithinMs: 3_600_000,
} as const
