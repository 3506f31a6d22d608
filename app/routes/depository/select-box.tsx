export function SelectBox({ isin, name, isChosen }: { isin: string; name: string; isChosen: boolean }) {
	return (
		<label className="check">
			<input id={`select-${isin}`} type="checkbox" name="isin" value={isin} aria-label={`Select ${name}`} defaultChecked={isChosen} />
		</label>
	)
}
