/** The rules of every one-time code (domain B-07). Times in milliseconds. */
export const OTP_RULES = {
	digits: 6,
	/** Wrong tries at one request, resent codes included; then it is over. */
	tries: 5,
	resendAfterMs: 30_000,
	resends: 3,
	/** The end of a request, however often codes are sent again. */
	requestMs: 1_800_000,
	/** Wrong tries of one client at all requests together, and the pause that follows. */
	mistakes: 10,
	mistakesWithinMs: 3_600_000,
	pauseMs: 900_000,
	/** Codes sent for one client, so that no telephone is flooded. */
	sends: 60,
	sendsWithinMs: 3_600_000,
} as const
