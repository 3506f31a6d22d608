import { type FieldMetadata, type FormMetadata } from '@conform-to/react'
import { useState } from 'react'
import { parseDay } from '#contract/values/typed-day'
import { FieldGroup } from '~/components/box'
import { DateField } from '~/components/date-field'
import { Field, type FieldState, LINK, SelectField } from '~/components/form'
import { joinGroups } from '~/lib/typed-code'

export type GuardianTyped = { name?: string; relation?: string; pan?: string }
export type NomineeTyped = { name?: string; relation?: string; pan?: string; dob?: string; share?: string; guardian?: GuardianTyped }
export type NomineesTyped = { opt_out?: string; nominees?: NomineeTyped[] }

type Props = {
	form: FormMetadata<NomineesTyped, string[]>
	field: FieldMetadata<NomineeTyped, NomineesTyped, string[]>
	list: string
	at: number
	/** False for the only row. */
	canRemove: boolean
	relations: readonly string[]
	/** The masked PANs that the broker has, with the names of their owners. */
	stored: readonly { name: string; pan: string }[]
	/** PANs that could not be looked up. */
	unchecked: readonly string[]
	/** Names by PAN; '' for one that is not registered. */
	registered: Record<string, string>
	/** The latest date of birth of an adult. */
	adultsUntil: string
}

/** Two short fields side by side where there is room for them and for the current nominees. */
const PAIRS = 'grid items-start gap-x-4 xl:grid-cols-2'

/** One nominee. The guardian's fields are always there; they are open when the nominee is a minor. */
export function NomineeRow({ form, field, list, at, canRemove, relations, stored, registered, unchecked, adultsUntil }: Props) {
	const { name, relation, pan, dob, share, guardian } = field.getFieldset()
	const ofGuardian = guardian.getFieldset()
	const options = [{ value: '', label: 'Select the relation' }, ...relations.map((each) => ({ value: each, label: each }))]
	const born = typeof dob.initialValue === 'string' ? (parseDay(dob.initialValue) ?? '') : ''
	const [isMinor, setMinor] = useState(born > adultsUntil)
	const hasGuardian = Object.values(ofGuardian).some(({ errors, initialValue }) => errors?.length || initialValue)
	const number = at + 1
	const describePan = (of: { name: FieldState; pan: FieldState }, whose: string) =>
		describeName(of.pan.value ?? of.pan.initialValue, registered, unchecked, whose) ??
		describeStored(of.name.value ?? of.name.initialValue, stored) ??
		// Always a text, because a screen reader announces only what changes.
		'Like ABCDE1234F'
	const check = (of: { name: string }, whose: string) => (
		<button {...form.validate.getButtonProps({ name: of.name })} className={LINK}>
			Check PAN<span className="sr-only"> of {whose}</span>
		</button>
	)
	return (
		<FieldGroup legend={`Nominee ${number}`}>
			<div className={PAIRS}>
				<Field field={name} label="Name" help="As on the PAN card" autoComplete="off" required />
				<SelectField field={relation} label="Relation" options={options} />
				<Field
					field={pan}
					label="PAN"
					help={describePan({ name, pan }, 'your nominee')}
					button={check(pan, `nominee ${number}`)}
					autoCapitalize="characters"
					spellCheck={false}
					autoComplete="off"
					width={8}
					required
				/>
				<DateField
					field={dob}
					label="Date of birth"
					help="A nominee under 18 needs a guardian"
					required
					onDay={(day) => setMinor(day > adultsUntil)}
				/>
				<Field field={share} label="Share %" inputMode="decimal" autoComplete="off" width={4} required />
			</div>
			<details key={String(isMinor || hasGuardian)} open={isMinor || hasGuardian}>
				<summary className="text-primary mb-2 min-h-10 w-fit py-2.5 text-sm">Guardian, for a nominee under 18</summary>
				<div className={PAIRS}>
					<Field field={ofGuardian.name} label="Guardian name" autoComplete="off" />
					<SelectField field={ofGuardian.relation} label="Guardian relation" options={options} />
					<Field
						field={ofGuardian.pan}
						label="Guardian PAN"
						help={describePan(ofGuardian, 'the guardian')}
						button={check(ofGuardian.pan, `the guardian of nominee ${number}`)}
						autoCapitalize="characters"
						spellCheck={false}
						autoComplete="off"
						width={8}
					/>
				</div>
			</details>
			{canRemove && (
				<p>
					<button {...form.remove.getButtonProps({ name: list, index: at })} className={LINK}>
						Remove nominee {number}
					</button>
				</p>
			)}
		</FieldGroup>
	)
}

/** Returns the masked PAN that the broker has for the person of this name. */
function describeStored(name: unknown, stored: Props['stored']): string | undefined {
	const found = stored.find((each) => each.name === name)
	return found && `Stored now: ${found.pan}`
}

/** Returns what is known of a PAN; undefined when it was not looked up. */
function describeName(typed: unknown, registered: Record<string, string>, unchecked: readonly string[], whose: string): string | undefined {
	const pan = typeof typed === 'string' ? joinGroups(typed).toUpperCase() : ''
	if (unchecked.includes(pan)) return 'This PAN could not be checked now. You can continue: the broker checks it again.'
	if (!Object.hasOwn(registered, pan)) return undefined
	return registered[pan] ? `This PAN is registered to ${registered[pan]}. Is this ${whose}?` : 'This PAN is not registered.'
}
