/** While nothing is ticked, the button looks disabled, but it can still be pressed. */
export const WAITING =
	'in-[form:not(:has(:checked:enabled))]:[&_.btn-primary]:border-base-300 in-[form:not(:has(:checked:enabled))]:[&_.btn-primary]:bg-base-300 in-[form:not(:has(:checked:enabled))]:[&_.btn-primary]:text-muted in-[form:not(:has(:checked:enabled))]:[&_.btn-primary]:shadow-none'

/** Classes of the text that says what to tick first. */
export const HINT = 'text-muted text-sm in-[form:has(:checked:enabled)]:hidden'
