SELECT "Origin" AS "Origin_1f93146f",
       COUNT(*) AS "count_39b1ddf4"
FROM "cars"
WHERE NOT ("Name" LIKE {p1:String})
  AND "Name" ILIKE {p2:String}
GROUP BY "Origin"
ORDER BY "Origin_1f93146f" ASC NULLS LAST
LIMIT 50000;
-- ["%ford%","%Ca%"]
