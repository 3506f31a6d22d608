import { createContext, type ReactNode, useContext } from 'react'

/** Width by the length of the value: an OTP, a PAN or a date, an account number, a name. */
export type Width = 4 | 8 | 16 | 24

const FORM = {
	// The rows of a phone's checkboxes and radio buttons are high, so there the next label needs less space.
	box: 'mb-5 max-sm:mb-4 max-sm:[fieldset&]:mb-2 max-w-full min-w-0',
	label: 'mb-1 block text-[0.875rem] font-semibold',
	input: 'input',
	select: 'choice',
	check: '',
	widths: { 4: 'w-22', 8: 'w-38', 16: 'w-60', 24: 'w-80 max-sm:w-full in-[:is(dialog,.plain)]:w-full' },
}

/**
 * For the fields above a table: smaller, with a muted label, and as wide as the browser draws them. A checkbox has no label above it, so
 * a margin puts it level with the fields.
 */
const FILTER: typeof FORM = {
	box: 'max-w-full min-w-0',
	label: 'text-muted mb-0.5 block text-xs',
	input: 'input pointer-fine:sm:[--font-size:0.875rem]!',
	select: 'choice min-w-32',
	check: 'mt-5.5 text-[0.875rem]',
	widths: { 4: 'w-auto', 8: 'w-auto', 16: 'w-auto', 24: 'w-auto' },
}

const FieldLook = createContext(FORM)

/** The classes of a field's parts: in a form, or among the filters above a table. */
export const useFieldLook = () => useContext(FieldLook)

/** Wraps the fields above a table, which are smaller and have muted labels. */
export function Filters({ children }: { children: ReactNode }) {
	return <FieldLook.Provider value={FILTER}>{children}</FieldLook.Provider>
}

/** One field with its label and notes. */
export function FieldFrame({ id, label, children }: { id: string; label: ReactNode; children: ReactNode }) {
	const look = useFieldLook()
	return (
		<div className={look.box}>
			<label htmlFor={id} className={look.label}>
				{label}
			</label>
			{children}
		</div>
	)
}

/** `isInvalid` is set for radio buttons only: true when none or a wrong one is chosen. A wrong checkbox says so itself. */
type FieldSetProps = { legend: ReactNode; describedBy?: string; isInvalid?: boolean; children: ReactNode }

/** Several checkboxes or radio buttons that answer one question. */
export function FieldSet({ legend, describedBy, isInvalid, children }: FieldSetProps) {
	const look = useFieldLook()
	// A radio button has no state of its own for a wrong answer, and neither has a plain fieldset.
	const role = isInvalid === undefined ? undefined : 'radiogroup'
	return (
		<fieldset className={look.box} role={role} aria-invalid={isInvalid || undefined} aria-describedby={describedBy}>
			<legend className={look.label}>{legend}</legend> {children}
		</fieldset>
	)
}

/** Classes of a checkbox or radio button with its label. */
export const CHECK = 'flex min-h-10 cursor-pointer items-center gap-2.5'

/** For a label of two lines: the checkbox stands beside the first line. */
export const TALL_CHECK = 'flex min-h-10 cursor-pointer items-start gap-2.5 py-2 [&>input]:mt-0.5'
