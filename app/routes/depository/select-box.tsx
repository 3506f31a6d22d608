export function SelectBox({ isin, name, isChosen }: { isin: string; name: string; isChosen: boolean }) {
	return (
		<label className="-my-2 grid min-h-10 min-w-10 cursor-pointer place-items-center">
			<input
				id={`select-${isin}`}
				type="checkbox"
				name="isin"
				value={isin}
				aria-label={`Select ${name}`}
				className="scroll-mb-24"
				defaultChecked={isChosen}
			/>
		</label>
	)
}
