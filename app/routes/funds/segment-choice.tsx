import { FieldSet } from '~/components/field-frame'
import { type FieldState, FieldError, RadioField } from '~/components/form'

type Props = { field: FieldState; segments: readonly { value: string; label: string }[]; help?: string }

/** The segment that the money is for. With a single segment there is no choice, only its name. */
export function SegmentChoice({ field, segments, help }: Props) {
	const [only, ...others] = segments
	if (!only || others.length > 0) return <RadioField field={field} label="Segment" help={help} options={segments} />
	return (
		<FieldSet legend="Segment" describedBy={field.errors ? `${field.id}-error` : undefined}>
			<input type="hidden" name={field.name} value={only.value} />
			<p id={field.id} tabIndex={-1} className="mb-0 max-sm:pb-2">
				{only.label}
			</p>
			{help && <p className="text-muted mt-1 mb-0 text-xs">{help}</p>}
			<FieldError id={field.id} errors={field.errors} />
		</FieldSet>
	)
}
