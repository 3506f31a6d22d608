import { describeField, type FieldState } from '~/components/form'

type Props = {
	isin: string
	name: string
	isChosen: boolean
	/** What is wrong with the selection. It describes the box with its id. */
	wrong?: FieldState
}

/** Selects a row. */
export function SelectBox({ isin, name, isChosen, wrong }: Props) {
	const id = `select-${isin}`
	return (
		<label className="-my-2 grid min-h-10 min-w-10 cursor-pointer place-items-center">
			<input
				{...describeField(wrong?.id === id ? wrong : { id })}
				type="checkbox"
				name="isin"
				value={isin}
				aria-label={`Select ${name}`}
				className="scroll-mb-36"
				defaultChecked={isChosen}
			/>
		</label>
	)
}
