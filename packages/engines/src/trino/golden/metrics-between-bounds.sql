SELECT COUNT(CASE WHEN "Horsepower" < 92.5 THEN "Horsepower" END) AS "low",
       COUNT(CASE WHEN "Horsepower" >= 92.5 AND "Horsepower" < 138 THEN "Horsepower" END) AS "middle",
       COUNT(CASE WHEN "Horsepower" >= 138 THEN "Horsepower" END) AS "high",
       MAX(CASE WHEN "Horsepower" >= 92.5 AND "Horsepower" < 138 THEN "Horsepower" END) AS "most of the middle"
FROM "cars"
LIMIT 50000;
-- []
