// What Waypost asks of Recast and Detour; run once in V8 after the libraries. Everything here is in
// Recast's frame: y up. Arrays cross as buffers that Python fills or reads in place.
"use strict";
globalThis.waypost = (() => {
  const { NavMeshQuery, exportNavMesh, importNavMesh } = libraries["@recast-navigation/core"];
  const { generateSoloNavMesh } = libraries["@recast-navigation/generators"];
  const opened = new Map();
  const buffers = new Map();
  const WALK = 1;
  const vector = (points, i) => ({ x: points[3 * i], y: points[3 * i + 1], z: points[3 * i + 2] });

  const keep = (key, navMesh) => {
    const query = new NavMeshQuery(navMesh, { maxNodes: 2048 });
    query.defaultFilter.includeFlags = WALK;
    opened.set(key, { navMesh, query });
  };

  const length = (query, from, to, start, end) => {
    if (!from.success || !to.success || !from.nearestRef || !to.nearestRef) return Infinity;
    const found = query.findPath(from.nearestRef, to.nearestRef, from.nearestPoint, to.nearestPoint, {
      maxPathPolys: 256,
    });
    const size = found.polys.size;
    const isComplete = size > 0 && found.polys.get(size - 1) === to.nearestRef;
    let sum = Infinity;
    if (isComplete) {
      const way = query.findStraightPath(start, end, found.polys, { maxStraightPathPoints: 256 });
      sum = 0;
      for (let i = 1; i < way.straightPathCount; i++) {
        const step = [0, 1, 2].map((k) => way.straightPath.get(3 * i + k) - way.straightPath.get(3 * i - 3 + k));
        sum += Math.hypot(...step);
      }
      way.straightPath.destroy();
      way.straightPathFlags.destroy();
      way.straightPathRefs.destroy();
    }
    found.polys.destroy();
    return sum;
  };

  return {
    buffer(name, bytes) {
      const made = new ArrayBuffer(bytes);
      buffers.set(name, made);
      return made;
    },
    drop(...names) {
      names.forEach((name) => buffers.delete(name));
    },
    build(key, config) {
      const corners = new Float32Array(buffers.get("corners"));
      const faces = new Uint32Array(buffers.get("faces"));
      const made = generateSoloNavMesh(corners, faces, config);
      if (!made.success) return made.error;
      keep(key, made.navMesh);
      return "";
    },
    open(key) {
      const { navMesh } = importNavMesh(new Uint8Array(buffers.get("file")));
      if (!navMesh || !navMesh.raw || navMesh.getMaxTiles() < 1) return "Detour does not take it";
      keep(key, navMesh);
      return "";
    },
    close(key) {
      const { navMesh, query } = opened.get(key);
      opened.delete(key);
      query.destroy();
      navMesh.destroy();
    },
    file(key) {
      return new Uint8Array(exportNavMesh(opened.get(key).navMesh)).buffer;
    },
    nearest(key, half) {
      const { query } = opened.get(key);
      const points = new Float64Array(buffers.get("points"));
      const found = new Float64Array(points.length);
      for (let i = 0; i < points.length / 3; i++) {
        const near = query.findNearestPoly(vector(points, i), { halfExtents: { x: half[0], y: half[1], z: half[2] } });
        const has = near.success && near.nearestRef;
        found.set(has ? [near.nearestPoint.x, near.nearestPoint.y, near.nearestPoint.z] : [NaN, NaN, NaN], 3 * i);
      }
      return found.buffer;
    },
    lengths(key, half) {
      const { query } = opened.get(key);
      const goal = vector(new Float64Array(buffers.get("goal")), 0);
      const points = new Float64Array(buffers.get("points"));
      const within = { halfExtents: { x: half[0], y: half[1], z: half[2] } };
      const end = query.findNearestPoly(goal, within);
      return Float64Array.from({ length: points.length / 3 }, (_, i) => {
        const start = vector(points, i);
        return length(query, query.findNearestPoly(start, within), end, start, goal);
      }).buffer;
    },
  };
})();
