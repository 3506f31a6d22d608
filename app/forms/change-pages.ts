/** The steps of a change, unless it has its own (routes/account/change-steps). */
export const CHANGE_STEPS: readonly string[] = ['details', 'OTP', 'e-sign']

/**
 * Every change of the account that the client confirms with a code: the h1 of its pages, its name in the list of requests and in what the
 * client signs, and the page of its first step. `subject` names the value that it replaces.
 */
export const CHANGE_PAGES = {
	mobile: { title: 'Change mobile', what: 'Change of mobile number', path: '/myaccount/mobile', subject: 'mobile number' },
	email: { title: 'Change e-mail', what: 'Change of e-mail', path: '/myaccount/email', subject: 'e-mail' },
	bank: { title: 'Bank accounts', what: 'New bank account', path: '/myaccount/bank' },
	segments: { title: 'Segments', what: 'New segment', path: '/myaccount/segments' },
	nominee: { title: 'Nominees', what: 'Change of nominees', path: '/myaccount/nominee' },
	income: { title: 'Income', what: 'Change of annual income', path: '/myaccount/income', subject: 'annual income' },
} as const
