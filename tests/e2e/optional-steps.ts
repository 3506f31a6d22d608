/*
 * For the journeys at a broker with only the required operations (`npm test -- --only-required`): the tests and the single steps that
 * need an optional operation, and which one. That run leaves these tests out. In place of such a step, the journey checks what the page
 * shows instead.
 */

/** The sandbox's answer to the optional operations (404, 501 or html) in that run; unset in all other runs. */
export const ONLY_REQUIRED = process.env.ONLY_REQUIRED

/** The operations by the title of the test. */
export const TESTS = {
	'a download that the broker refuses or corrupts shows the reason on its page': ['downloadLedger'],
	'a download after the session has ended leads to the login page': ['downloadLedger'],
	'a file that breaks off is a failed download, and the next try is complete': ['downloadLedger'],
	'a file of many megabytes arrives complete under the portal’s name': ['downloadLedger'],
	'sets a forgotten password with an OTP, and survives a reload, the back button and a second tab': [
		'requestPasswordReset',
		'verifyPasswordResetOtp',
		'resendPasswordResetOtp',
		'resetPassword',
	],
	'an unknown client code gets the same response as a known one': ['requestPasswordReset', 'verifyPasswordResetOtp'],
	'the dashboard shows what needs attention, with a link to where it is done': ['listAttention'],
	'a funded purchase leads from the dashboard to the depository, and stays open when it is cancelled there': [
		'listAttention',
		'listPledgeRequests',
		'getMtfFacts',
	],
}

/** The operations by the step that needs them. */
export const STEPS = {
	'how an e-sign ended': ['getEsignStatus'],
	'how a pledge ended, and its confirmation once more': ['listPledgeRequests'],
	'the list of changes and their forms': ['listChangeRequests', 'downloadChangeForm'],
	'what is verified for sale': ['listStockVerifications'],
	'the end of a payout': ['getPayoutTimetable', 'cancelPayout'],
	'the list of mandates and the end of one': ['listMandates', 'cancelMandate'],
	'deadline and allotment day of a bid': ['listIpoApplications'],
	'what needs attention': ['listAttention'],
	'tasks, state and end of a closure': ['listClosureTasks', 'withdrawClosure'],
	'interest day by day': ['listMtfInterest'],
	'why a client is dormant, and the address of re-KYC': ['getRekycDetails'],
	'trades and charges of a contract note': ['getContractNote'],
}

/** The titles of the tests that the run without optional operations leaves out. */
export const NOT_WITHOUT = Object.keys(TESTS).map((title) => new RegExp(`${title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`))

/** True when the sandbox of this run has the operations of a step. */
export const offers = (_step: keyof typeof STEPS): boolean => ONLY_REQUIRED === undefined
