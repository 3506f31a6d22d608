export function Spinner({ className = '' }: { className?: string }) {
	return (
		<span
			className={`spinner size-[1em] flex-none animate-spin rounded-full border-2 border-current border-r-transparent ${className}`}
			aria-hidden="true"
		/>
	)
}
