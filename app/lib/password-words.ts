/** What the specification says of an empty field, in its own words; the page and the browser say the same. */
export const REQUIRED = {
	old_password: 'Current Password is required',
	new_password: 'New Password is required',
	confirm_password: 'Confirm Password is required',
} as const

/** The check fires when the two are unequal, whatever the sentence says. */
export const UNEQUAL = 'New password and confirm password must be different'

/** What the wire takes. The specification has no rule of length; the broker says what it will not have. */
export const LONGEST = 128
export const TOO_LONG = `Passwords have at most ${LONGEST} characters`
