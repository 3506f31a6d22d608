export function Spinner() {
	return (
		<span
			className="spinner size-[1em] flex-none animate-spin rounded-full border-2 border-current border-r-transparent"
			aria-hidden="true"
		/>
	)
}
