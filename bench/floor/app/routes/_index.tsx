import { useLoaderData } from '@remix-run/react'

const ROWS = 20

export function loader() {
	return { figures: Array.from({ length: ROWS }, (_, row) => ({ label: `Figure ${row + 1}`, value: `₹ ${row + 1},000.00` })) }
}

export default function Index() {
	const { figures } = useLoaderData<typeof loader>()
	return (
		<main>
			<h1>Dashboard</h1>
			<table>
				<tbody>
					{figures.map(({ label, value }) => (
						<tr key={label}>
							<th scope="row">{label}</th>
							<td>{value}</td>
						</tr>
					))}
				</tbody>
			</table>
		</main>
	)
}
