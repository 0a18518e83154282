import { MillList } from '../MillList.tsx';
import { Specimen } from '../Specimen.tsx';

const HEIGHT = 480;

export function Lists() {
  return (
    <>
      <Specimen title="200 rows" shape="screen" height={560} path="/list">
        <MillList scene="many" />
      </Specimen>
      <Specimen title="Three rows, sorted" shape="screen" height={HEIGHT} path="/list?sort=-spindles">
        <MillList scene="three" />
      </Specimen>
      <Specimen
        title="Narrowed, on its second page"
        shape="screen"
        height={HEIGHT}
        path="/list?state=running&limit=5&page=2"
      >
        <MillList scene="many" />
      </Specimen>
    </>
  );
}

export function ListPlaces() {
  return (
    <>
      <Specimen title="Loading" shape="screen" height={HEIGHT} path="/list">
        <MillList scene="slow" />
      </Specimen>
      <Specimen title="Empty" shape="screen" height={HEIGHT} path="/list">
        <MillList scene="none" />
      </Specimen>
      <Specimen title="Nothing matches" shape="screen" height={HEIGHT} path="/list?search=flax&state=sold">
        <MillList scene="many" />
      </Specimen>
      <Specimen title="Failed" shape="screen" height={HEIGHT} path="/list">
        <MillList scene="failing" />
      </Specimen>
    </>
  );
}
