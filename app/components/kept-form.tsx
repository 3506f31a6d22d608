import { SubmitButton } from './form'
import { PostForm } from './post-form'

export type TypedValues = readonly (readonly [name: string, value: string])[]

/** Returns the typed values that the reply of a form keeps, if any (see lookUp). */
export function findTypedValues(sent: object | undefined): TypedValues | undefined {
	return (sent as { kept?: TypedValues } | undefined)?.kept
}

type Props = { action: string; kept: TypedValues; label: string; lines?: readonly { label: string; value: string }[] }

/** Replaces a form whose page could not be loaded after it was sent: it holds the typed values and can be sent again. */
export function KeptForm({ action, kept, label, lines = [] }: Props) {
	return (
		<PostForm action={action}>
			<p>What you typed is kept:</p>
			{lines.length > 0 && (
				<dl>
					{lines.map(({ label: of, value }) => (
						<div key={of}>
							<dt>{of}</dt>
							<dd>{value}</dd>
						</div>
					))}
				</dl>
			)}
			{kept.map(([name, value]) => (
				<input key={`${name} ${value}`} type="hidden" name={name} value={value} />
			))}
			<SubmitButton>{label}</SubmitButton>
		</PostForm>
	)
}

/** Returns the quantities typed into a table, one per security, with the ISIN as label. */
export function listQuantities(kept: TypedValues): { label: string; value: string }[] {
	return kept.flatMap(([name, value]) => {
		const isin = /^qty\.(.+)$/.exec(name)?.[1]
		return isin && value.trim() !== '' ? [{ label: isin, value }] : []
	})
}
